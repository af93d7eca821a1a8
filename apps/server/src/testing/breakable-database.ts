import { connect, createServer, type Socket } from "node:net";
import { listenBeforePostgres } from "./listen-before-postgres.ts";

export interface BreakableDatabase {
  /** The same database, through a connection that can be cut. */
  url: string;
  /** Drops every connection and accepts no new ones. */
  cut(): void;
  mend(): void;
  /**
   * Cuts the connection at the next COMMIT of a transaction with such a statement. The COMMIT reaches the database a
   * little later, or never (`commits: false`).
   */
  cutAtCommitOf(statement: string, options?: { commits?: boolean; onCut?: () => void }): void;
  close(): void;
}

/** A proxy between Leadline and Postgres that simulates network failures. */
export async function breakableDatabase(databaseUrl: string): Promise<BreakableDatabase> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let isCut = false;
  let awaited: { statement: string; commits?: boolean; onCut?: () => void } | null = null;

  const cut = (): void => {
    isCut = true;
    for (const socket of sockets) socket.destroy();
  };
  const server = createServer((near) => {
    if (isCut) return void near.destroy();
    let atCommit: typeof awaited = null;
    const far = connect(Number(target.port), target.hostname);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        near.destroy();
        if (!atCommit) far.end();
      });
    }
    near.on("data", (data) => {
      if (awaited !== null && data.includes(awaited.statement)) {
        atCommit = awaited;
        awaited = null;
      }
      if (!atCommit || !data.includes("commit")) return void far.write(data);
      const { commits = true, onCut } = atCommit;
      onCut?.();
      near.destroy();
      if (commits) setTimeout(() => far.end(data), 400);
      else far.destroy();
    });
    far.on("data", (data) => near.write(data));
  });
  const url = await listenBeforePostgres(server, databaseUrl);
  return {
    url,
    cut,
    mend: () => void (isCut = false),
    cutAtCommitOf: (statement, options = {}) => void (awaited = { statement, ...options }),
    close() {
      cut();
      server.close();
    },
  };
}
