import { connect, createServer } from "node:net";
import { listenBeforePostgres } from "../../apps/server/src/testing/listen-before-postgres.ts";

interface Watched {
  organisationId: string;
  /** Which of its commits, from 1. Transactions that write nothing don't count. */
  at: number;
  /** Whether that COMMIT still reaches Postgres. Its response never arrives. */
  commits: boolean;
  kill: () => void;
}

export interface CommitProxy {
  /** The same database, through the proxy. */
  url: string;
  /** From now on. Replaces the previous one. */
  killAt(watched: Watched): void;
  /** Whether it has killed; from then on it watches nothing. */
  stopWatching(): boolean;
  close(): void;
}

const begin = "begin read ";
/** PostgreSQL, "Message Formats": a simple query ends with a zero byte. */
const commit = "commit\0";
const writing = /insert into|update "|update [a-z_]+ |delete from|ledger_/;

/** A proxy between a server and Postgres, which kills the server at a commit of an organisation. */
export async function openCommitProxy(databaseUrl: string): Promise<CommitProxy> {
  const target = new URL(databaseUrl);
  let watched: (Watched & { seen: number }) | null = null;
  let hasKilled = false;

  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    /** Of the transaction in progress, if it is of the organisation that was watched when it began. */
    let own: { watched: Watched; writes: boolean } | null = null;
    let isCut = false;
    near.on("error", () => {});
    far.on("error", () => {});
    near.on("close", () => !isCut && far.destroy());
    far.on("close", () => near.destroy());
    far.on("data", (data) => near.write(data));
    near.on("data", (data) => {
      const text = data.toString("latin1");
      if (text.includes(begin))
        own =
          watched && text.includes(`${begin}write`) && text.includes(watched.organisationId)
            ? { watched, writes: false }
            : null;
      if (own !== null) own.writes ||= writing.test(text);
      if (!text.includes(commit)) return void far.write(data);
      const isCounted = own !== null && own.writes && own.watched === watched;
      own = null;
      if (!isCounted || watched === null || (watched.seen += 1) < watched.at) return void far.write(data);
      const { commits, kill } = watched;
      [watched, hasKilled, isCut] = [null, true, true];
      kill();
      near.destroy();
      if (commits) far.end(data);
      else far.destroy();
    });
  });

  const url = await listenBeforePostgres(server, databaseUrl);
  return {
    url,
    killAt(next) {
      watched = { ...next, seen: 0 };
      hasKilled = false;
    },
    stopWatching() {
      watched = null;
      return hasKilled;
    },
    close: () => void server.close(),
  };
}
