import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { setImmediate as turnOfTheLoop } from "node:timers/promises";

/**
 * The same database through a connection that delivers replies in fragments of this many bytes, each in its own
 * event-loop turn.
 */
export async function slicingWire(databaseUrl: string, bytes: number): Promise<{ url: string; close(): void }> {
  const target = new URL(databaseUrl);
  const slice = async (from: Socket, to: Socket): Promise<void> => {
    for await (const data of from) {
      for (let at = 0; at < data.length; at += bytes) {
        to.write(data.subarray(at, at + bytes));
        await turnOfTheLoop();
      }
    }
  };
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    near.on("error", () => far.destroy()).on("close", () => far.destroy());
    far.on("error", () => near.destroy()).on("close", () => near.destroy());
    near.setNoDelay(true).pipe(far);
    void slice(far, near).catch(() => near.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const url = new URL(databaseUrl);
  url.hostname = "127.0.0.1";
  url.port = String(typeof address === "object" ? address?.port : 0);
  url.search = "";
  return { url: url.href, close: () => server.close() };
}
