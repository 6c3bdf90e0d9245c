/** The part of s3rver that the tests use. It ships no types. */
declare module "@20minutes/s3rver" {
  import type { RequestListener } from "node:http";

  type Options = {
    directory: string;
    silent: boolean;
    address: string;
    vhostBuckets: boolean;
    configureBuckets: { name: string; configs: string[] }[];
  };

  export default class S3rver {
    constructor(options: Options);
    configureBuckets(): Promise<unknown>;
    callback(): RequestListener;
  }
}
