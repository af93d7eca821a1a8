import { createRequire } from "node:module";
import { Client, type ClientConfig, type FieldDef, Query } from "pg";
import type { Log } from "../log.ts";
import { DatabaseUnreachable, orUnreachable } from "./database-unreachable.ts";
import { pgTypes } from "./pg-types.ts";

// Everything that depends on the driver's inside is in this file (decision 51).

/** A value as the text that Postgres reads; null stays null. The driver's own, which has no types. */
const { prepareValue }: { prepareValue: (value: unknown) => unknown } = createRequire(import.meta.url)(
  "pg/lib/utils.js",
);

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

export interface Statement {
  /** Under which Postgres keeps it, parsed and planned, for the connection's life: one text, one name. Empty: not kept. */
  name: string;
  text: string;
  values: readonly unknown[];
}

export type Row = Record<string, unknown>;

interface Column {
  name: string;
  read: (text: string) => unknown;
}

/** A statement that a connection was sent; its columns are null until Postgres has told them. */
interface Prepared {
  columns: Column[] | null;
}

/** What a connection was sent, by name. */
type PreparedStatements = Map<string, Prepared>;

interface Part extends Statement {
  prepared: Prepared;
  /** It is this burst that has it described. */
  isNew: boolean;
}

/** 26000, invalid_sql_statement_name. */
const isStatementLost = (error: Error): boolean => "code" in error && error.code === "26000";

/**
 * Statements in one write, with one Sync behind them: to Postgres they are one transaction, and its answer is one write
 * too (PostgreSQL, "Extended Query", "Pipelining"). A named statement is described once a connection, not at every
 * execution. Throws where a value cannot be sent.
 */
class Burst extends Query implements AnswerReader {
  private readonly statements: readonly Statement[];
  private readonly known: PreparedStatements;
  private readonly done: (error: Error | null, answers: Row[][], isStatementLost: boolean) => void;
  private parts: Part[] = [];
  private readonly answers: Row[][] = [];
  /** Of the statement whose turn it is. */
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
        // One that was lost on the way here may be there all the same; to close what is not there is no error.
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

/** What of the driver a burst stands on, beyond its typed surface (pg/lib/connection.js, pg/lib/client.js). */
interface DriverConnection {
  parse(statement: { name: string; text: string }): void;
  describe(what: { type: "S"; name: string }): void;
  close(what: { type: "S"; name: string }): void;
  bind(bound: { statement: string; values: readonly unknown[] }): void;
  execute(): void;
  sync(): void;
}

/** What the driver's client hands the query whose answer is coming. */
interface AnswerReader {
  submit(connection: DriverConnection): void;
  handleRowDescription(message: { fields: FieldDef[] }): void;
  handleDataRow(message: { fields: (string | null)[] }): void;
  handleCommandComplete(message: { text: string }): void;
  handleEmptyQuery(): void;
  handleReadyForQuery(): void;
  handleError(error: Error): void;
}
