/** An internal module of Node, which has no types. */
declare module "node:_http_common" {
  /** Parses the requests of a connection. Its callbacks are properties with numbers as their names. */
  export class HTTPParser {
    static readonly kOnMessageBegin: number;
    static readonly kOnHeadersComplete: number;
    static readonly kOnBody: number;
    static readonly kOnMessageComplete: number;
    [callback: number]: unknown;
  }
}
