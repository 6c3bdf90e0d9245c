import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { afterTest } from "#tests/clean-up.ts";

/** The first bytes that a client of TLS sends. @param connect connects to a port; the connection is closed */
export async function clientHello(connect: (port: number) => Promise<unknown>): Promise<Buffer> {
  const hello = Promise.withResolvers<Buffer>();
  const listener = createServer((socket) =>
    socket
      .on("error", () => undefined)
      .once("data", (data) => {
        hello.resolve(data);
        socket.destroy();
      }),
  );
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  afterTest(async () => void listener.close());
  await connect((listener.address() as AddressInfo).port);
  return await hello.promise;
}
