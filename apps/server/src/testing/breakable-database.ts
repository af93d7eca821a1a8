import { connect, createServer, type Socket } from "node:net";

export interface BreakableDatabase {
  /** The same database, through a connection that can be cut. */
  url: string;
  /** Drops every connection and accepts no new ones. */
  cut(): void;
  mend(): void;
  /**
   * Cuts the connection at the next COMMIT of a transaction with such a statement; the COMMIT reaches the database a
   * little later.
   */
  cutAtCommitOf(statement: string): void;
  close(): void;
}

/** A proxy between Leadline and Postgres that simulates network failures. */
export async function breakableDatabase(databaseUrl: string): Promise<BreakableDatabase> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let isCut = false;
  let awaited: string | null = null;

  const cut = (): void => {
    isCut = true;
    for (const socket of sockets) socket.destroy();
  };
  const server = createServer((near) => {
    if (isCut) return void near.destroy();
    let commitsIt = false;
    const far = connect(Number(target.port), target.hostname);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        near.destroy();
        if (!commitsIt) far.end();
      });
    }
    near.on("data", (data) => {
      if (awaited !== null && data.includes(awaited)) {
        awaited = null;
        commitsIt = true;
      }
      if (!commitsIt || !data.includes("commit")) return void far.write(data);
      near.destroy();
      setTimeout(() => far.end(data), 400);
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
  // Otherwise the Unix socket would bypass the proxy.
  url.search = "";
  return {
    url: url.href,
    cut,
    mend: () => void (isCut = false),
    cutAtCommitOf: (statement) => void (awaited = statement),
    close() {
      cut();
      server.close();
    },
  };
}
