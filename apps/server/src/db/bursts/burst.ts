import { type FieldDef, Query } from "pg";
import { prepareValue } from "pg/lib/utils.js";
import { pgTypes } from "../pg-types.ts";
import type { AnswerReader, DriverConnection } from "./driver.ts";

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
export type PreparedStatements = Map<string, Prepared>;

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
export class Burst extends Query implements AnswerReader {
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
