import { createRequire } from "node:module";
import { Client, type ClientConfig, type FieldDef, Query } from "pg";
import type { Log } from "../log.ts";
import { DatabaseUnreachable, orUnreachable } from "./database-unreachable.ts";
import { pgTypes } from "./pg-types.ts";

// Everything that depends on the driver's internals is in this file (decision 51).

/**
 * Converts a value to the text format that Postgres reads; null stays null. The driver's own function, which has no
 * types.
 */
const { prepareValue }: { prepareValue: (value: unknown) => unknown } = createRequire(import.meta.url)(
  "pg/lib/utils.js",
);

/** A NAT or firewall on the way may have dropped a connection that was idle for longer. */
const maxIdleMs = 60_000;

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
  /**
   * Resolves to the rows of each statement. The statements are read at the end of this event-loop turn and form a
   * transaction of their own.
   */
  ask(statements: () => readonly Statement[]): Promise<Row[][]>;
  close(): Promise<void>;
}

/**
 * Everything asked within one turn of the event loop is written immediately, to the connection with the shortest queue.
 * Bursts are short, so a few connections carry many; with more, a slow burst delays fewer others.
 */
export function openBurstConnections(
  config: ClientConfig,
  { log, maxConnections }: { log: Log; maxConnections: number },
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
      if (connection.underWay > 0 || performance.now() - connection.usedAtMs < maxIdleMs) continue;
      connections.delete(connection);
      void end(connection);
    }
    const [least] = [...connections].toSorted((a, b) => a.underWay - b.underWay);
    return least === undefined || (least.underWay > 0 && connections.size < maxConnections) ? connect() : least;
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
      // The burst that should have prepared it failed, and this one was already sent behind it.
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

export interface Statement {
  /**
   * The name under which Postgres keeps the parsed and planned statement for the connection's life; one name per text.
   * Empty: not kept.
   */
  name: string;
  text: string;
  values: readonly unknown[];
}

export type Row = Record<string, unknown>;

interface Column {
  name: string;
  read: (text: string) => unknown;
}

/** A statement that was sent to a connection; its columns are null until Postgres has described them. */
interface Prepared {
  columns: Column[] | null;
}

/** The statements sent to a connection, by name. */
type PreparedStatements = Map<string, Prepared>;

interface Part extends Statement {
  prepared: Prepared;
  /** Whether this burst describes it. */
  isNew: boolean;
}

/** 26000, invalid_sql_statement_name. */
const isStatementLost = (error: Error): boolean => "code" in error && error.code === "26000";

/**
 * Statements in one write, followed by one Sync: to Postgres they are one transaction, and it replies in one write too
 * (PostgreSQL, "Extended Query", "Pipelining"). A named statement is described once per connection, not at every
 * execution. Throws if a value can't be sent.
 */
class Burst extends Query implements AnswerReader {
  private readonly statements: readonly Statement[];
  private readonly known: PreparedStatements;
  private readonly done: (error: Error | null, answers: Row[][], isStatementLost: boolean) => void;
  private parts: Part[] = [];
  private readonly answers: Row[][] = [];
  /** The rows of the current statement. */
  private answer: Row[] = [];
  private failure: Error | null = null;

  constructor(
    statements: readonly Statement[],
    known: PreparedStatements,
    done: (error: Error | null, answers: Row[][], isStatementLost: boolean) => void,
  ) {
    super("");
    this.statements = statements.map((statement) => ({ ...statement, values: statement.values.map(prepareValue) }));
    this.known = known;
    this.done = done;
  }

  override submit = (connection: unknown): void => this.send(connection as DriverConnection);

  private send(connection: DriverConnection): void {
    for (const statement of this.statements) {
      const { name, text, values } = statement;
      const kept = this.known.get(name);
      const prepared: Prepared = kept ?? { columns: null };
      if (kept === undefined) {
        // A lost statement may still exist on the server; closing one that doesn't exist is not an error.
        if (name !== "") connection.close({ type: "S", name });
        connection.parse({ name, text });
        connection.describe({ type: "S", name });
        if (name !== "") this.known.set(name, prepared);
      }
      connection.bind({ statement: name, values });
      connection.execute();
      this.parts.push({ ...statement, prepared, isNew: kept === undefined });
    }
    connection.sync();
  }

  handleRowDescription({ fields }: { fields: FieldDef[] }): void {
    const part = this.parts[this.answers.length];
    if (part) part.prepared.columns = fields.map(toColumn);
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    if (this.failure) return;
    const row: Row = {};
    let at = 0;
    try {
      for (const { name, read } of this.parts[this.answers.length]?.prepared.columns ?? []) {
        const text = fields[at++] ?? null;
        row[name] = text === null ? null : read(text);
      }
    } catch (error) {
      this.failure = error instanceof Error ? error : new Error("a value from the database could not be read");
    }
    this.answer.push(row);
  }

  handleCommandComplete(): void {
    const part = this.parts[this.answers.length];
    if (part) part.prepared.columns ??= [];
    this.answers.push(this.answer);
    this.answer = [];
  }

  handleEmptyQuery(): void {
    this.handleCommandComplete();
  }

  handleReadyForQuery(): void {
    this.done(this.failure, this.answers, false);
  }

  handleError(error: Error): void {
    const isLost = isStatementLost(error);
    for (const { name, prepared, isNew } of this.parts) {
      const mayBeMissing = isLost || (isNew && prepared.columns === null);
      if (mayBeMissing && this.known.get(name) === prepared) this.known.delete(name);
    }
    this.done(error, [], isLost);
  }
}

const toColumn = ({ name, dataTypeID }: FieldDef): Column => ({
  name,
  read: pgTypes.getTypeParser(dataTypeID, "text"),
});

/** The driver internals that a burst depends on, beyond its typed surface (pg/lib/connection.js, pg/lib/client.js). */
interface DriverConnection {
  parse(statement: { name: string; text: string }): void;
  describe(what: { type: "S"; name: string }): void;
  close(what: { type: "S"; name: string }): void;
  bind(bound: { statement: string; values: readonly unknown[] }): void;
  execute(): void;
  sync(): void;
}

/** The callbacks that the driver's client calls on the query whose answer is arriving. */
interface AnswerReader {
  submit(connection: DriverConnection): void;
  handleRowDescription(message: { fields: FieldDef[] }): void;
  handleDataRow(message: { fields: (string | null)[] }): void;
  handleCommandComplete(message: { text: string }): void;
  handleEmptyQuery(): void;
  handleReadyForQuery(): void;
  handleError(error: Error): void;
}
