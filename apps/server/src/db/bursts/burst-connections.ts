import { Client, type ClientConfig } from "pg";
import type { Log } from "../../log.ts";
import { DatabaseUnreachable, orUnreachable } from "../database-unreachable.ts";
import { Burst, type PreparedStatements, type Row, type Statement } from "./burst.ts";

/** What stands between may have forgotten a connection that was silent for long. */
const mostIdleMs = 60_000;

interface BurstConnection {
  ready: Promise<Client>;
  known: PreparedStatements;
  underWay: number;
  usedAtMs: number;
}

interface Asked {
  statements: () => readonly Statement[];
  resolve: (answers: Row[][]) => void;
  reject: (error: unknown) => void;
  isAgain?: true;
}

export interface BurstConnections {
  /** The rows of each statement, which are called for at the end of this turn. They are one transaction of their own. */
  ask(statements: () => readonly Statement[]): Promise<Row[][]>;
  close(): Promise<void>;
}

/**
 * What is asked for within one turn of the event loop is written at once, to the connection with the least to do. A burst is
 * short, so a few connections carry many of them; more let a slow one hold up fewer others.
 */
export function openBurstConnections(
  config: ClientConfig,
  { log, mostConnections }: { log: Log; mostConnections: number },
): BurstConnections {
  const connections = new Set<BurstConnection>();
  let waiting: Asked[] = [];
  let isClosed = false;

  const connect = (): BurstConnection => {
    const client = new Client({ ...config, pipeline: true });
    const leave = () => connections.delete(connection);
    client.on("error", (error) => {
      leave();
      log.warn({ err: error }, "a database connection was lost");
    });
    client.once("end", leave);
    const ready = client.connect().then(
      () => client,
      (error: unknown) => {
        leave();
        throw new DatabaseUnreachable({ cause: error });
      },
    );
    const connection: BurstConnection = { ready, known: new Map(), underWay: 0, usedAtMs: performance.now() };
    connections.add(connection);
    return connection;
  };

  const end = async ({ ready }: BurstConnection): Promise<void> => (await ready.catch(() => null))?.end();

  const leastBusy = (): BurstConnection => {
    for (const connection of connections) {
      if (connection.underWay > 0 || performance.now() - connection.usedAtMs < mostIdleMs) continue;
      connections.delete(connection);
      void end(connection);
    }
    const [least] = [...connections].toSorted((a, b) => a.underWay - b.underWay);
    return least === undefined || (least.underWay > 0 && connections.size < mostConnections) ? connect() : least;
  };

  const flush = async (): Promise<void> => {
    const batch = waiting;
    waiting = [];
    const collected = batch.flatMap((asked) => {
      try {
        return [{ ...asked, statements: asked.statements() }];
      } catch (error) {
        asked.reject(error);
        return [];
      }
    });
    const connection = leastBusy();
    connection.underWay += collected.length;
    connection.usedAtMs = performance.now();
    const client = await connection.ready.catch((error: unknown) => {
      connection.underWay -= collected.length;
      for (const { reject } of collected) reject(error);
      return null;
    });
    if (client === null) return;
    const { stream } = client.connection;
    stream.cork();
    try {
      for (const asked of collected) send(client, connection, asked);
    } finally {
      stream.uncork();
    }
  };

  const send = (
    client: Client,
    connection: BurstConnection,
    { statements, resolve, reject, isAgain }: Omit<Asked, "statements"> & { statements: readonly Statement[] },
  ): void => {
    const done = (error: Error | null, answers: Row[][], isStatementLost: boolean) => {
      connection.underWay -= 1;
      if (error === null) resolve(answers);
      // The burst that was to prepare it failed before it came to it, with this one on its heels.
      else if (isStatementLost && !isAgain) ask({ statements: () => statements, resolve, reject, isAgain: true });
      else reject(orUnreachable(error));
    };
    try {
      client.query(new Burst(statements, connection.known, done));
    } catch (error) {
      connection.underWay -= 1;
      reject(error);
    }
  };

  const ask = (asked: Asked): void => {
    if (isClosed) asked.reject(new DatabaseUnreachable({ cause: "closed" }));
    else if (waiting.push(asked) === 1) setImmediate(() => void flush());
  };

  return {
    ask: (statements) => new Promise((resolve, reject) => ask({ statements, resolve, reject })),
    async close() {
      isClosed = true;
      await Promise.all([...connections].map(end));
    },
  };
}
