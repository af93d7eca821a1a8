import { connect, createServer, type Socket } from "node:net";

export interface BreakableDatabase {
  /** The same database, through a wire that can be cut. */
  url: string;
  /** Drops every connection and takes no new ones. */
  cut(): void;
  mend(): void;
  /** Lets the next statement that starts so reach the database, and cuts before its answer comes back. */
  cutAfter(statement: string): void;
  close(): void;
}

/** Stands between Leadline and Postgres as a network that fails. */
export async function breakableDatabase(databaseUrl: string): Promise<BreakableDatabase> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let isCut = false;
  let cutStatement: string | null = null;

  const cut = (): void => {
    isCut = true;
    for (const socket of sockets) socket.destroy();
  };
  const server = createServer((near) => {
    if (isCut) return void near.destroy();
    const far = connect(Number(target.port), target.hostname);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        near.destroy();
        far.end();
      });
    }
    near.on("data", (data) => {
      if (cutStatement === null || !data.includes(cutStatement)) return void far.write(data);
      cutStatement = null;
      near.destroy();
      far.write(data, () => setTimeout(() => far.end(), 200));
    });
    far.on("data", (data) => near.write(data));
  });
  const port = await new Promise<number>((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : 0);
    });
  });
  const url = new URL(databaseUrl);
  url.hostname = "127.0.0.1";
  url.port = String(port);
  return {
    url: url.href,
    cut,
    mend: () => void (isCut = false),
    cutAfter: (statement) => void (cutStatement = statement),
    close() {
      cut();
      server.close();
    },
  };
}
