import { Client, type ClientConfig } from "pg";
import type { Log } from "../../log.ts";
import { DatabaseUnreachable, orUnreachable } from "../database-unreachable.ts";
import { Burst, type KnownStatements, type Row, type Statement } from "./burst.ts";

/** A burst is short, so a few connections carry many of them; more let a slow one hold up fewer others. */
const mostConnections = 4;
/** What stands between may have forgotten a connection that was silent for long. */
const mostIdleMs = 60_000;

interface BurstConnection {
  ready: Promise<Client>;
  known: KnownStatements;
  underWay: number;
  usedAtMs: number;
}

interface Asked {
  statements: () => readonly Statement[];
  resolve: (answers: Row[][]) => void;
  reject: (error: unknown) => void;
}

export interface BurstConnections {
  /** The rows of each statement, which are called for at the end of this turn. They are one transaction of their own. */
  ask(statements: () => readonly Statement[]): Promise<Row[][]>;
  close(): Promise<void>;
}

/** What is asked for within one turn of the event loop is written at once, to the connection with the least to do. */
export function openBurstConnections(config: ClientConfig, log: Log): BurstConnections {
  const connections = new Set<BurstConnection>();
  let waiting: Asked[] = [];

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
    const batch = waiting.map((asked) => ({ ...asked, statements: asked.statements() }));
    waiting = [];
    const connection = leastBusy();
    connection.underWay += batch.length;
    connection.usedAtMs = performance.now();
    try {
      const client = await connection.ready;
      const { stream } = client.connection;
      stream.cork();
      for (const { statements, resolve, reject } of batch) {
        const burst = new Burst(statements, connection.known, (error, answers) => {
          connection.underWay -= 1;
          if (error === null) resolve(answers);
          else if (isStatementLost(error)) ask({ statements: () => statements, resolve, reject });
          else reject(orUnreachable(error));
        });
        client.query(burst);
      }
      stream.uncork();
    } catch (error) {
      connection.underWay -= batch.length;
      for (const { reject } of batch) reject(error);
    }
  };

  const ask = (asked: Asked): void => {
    if (waiting.push(asked) === 1) setImmediate(() => void flush());
  };

  return {
    ask: (statements) => new Promise((resolve, reject) => ask({ statements, resolve, reject })),
    async close() {
      await Promise.all([...connections].map(end));
    },
  };
}

/** 26000: the burst that was to prepare a statement failed before it came to it, with this one on its heels. */
const isStatementLost = (error: Error): boolean => "code" in error && error.code === "26000";
