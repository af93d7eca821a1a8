import { connect, createServer, type Socket } from "node:net";

export interface BreakableDatabase {
  /** The same database, through a wire that can be cut. */
  url: string;
  /** Drops every connection and takes no new ones. */
  cut(): void;
  mend(): void;
  /** Cuts at the commit of the next transaction with such a statement, which reaches the database a while later. */
  cutAtCommitOf(statement: string): void;
  close(): void;
}

/** Stands between Leadline and Postgres as a network that fails. */
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
  // Not past the wire by the Unix socket.
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
