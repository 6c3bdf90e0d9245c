/** A message of the DevTools protocol, as JSON would hold it; a browser's binary values may come as bytes instead of base64. */
export type Message = Record<string, unknown>;

/** Carries the messages of the DevTools protocol to a browser and back. */
export type Transport = {
  send(message: Message): void;
  /** Set once, by the connection that uses it. What is given is not checked yet. @throws Error for what is no message */
  onMessage: (message: unknown) => void;
  /** Set once, by the connection that uses it: what came is not in the protocol's form, and nothing after it can be read. */
  onGarbage: (cause: unknown) => void;
};
