/** Carries the messages of the DevTools protocol to a browser and back. Each is one JSON text. */
export type Transport = {
  send(message: string): void;
  /** Set once, by the connection that uses it. */
  onMessage: (message: string) => void;
};
