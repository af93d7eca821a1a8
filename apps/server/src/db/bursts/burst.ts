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

/** The statements that a connection has been sent, with the columns they answer once it has told them. */
export type KnownStatements = Map<string, Column[] | "asked">;

/**
 * Statements in one write, with one Sync behind them: to Postgres they are one transaction, and its answer is one write
 * too (PostgreSQL, "Extended Query", "Pipelining"). A statement is described once a connection, not at every execution.
 */
export class Burst extends Query implements AnswerReader {
  private readonly statements: readonly Statement[];
  private readonly known: KnownStatements;
  private readonly done: (error: Error | null, answers: Row[][]) => void;
  private readonly answers: Row[][] = [];
  private columns: Column[] = [];
  /** Of the statement whose turn it is. */
  private answer: Row[] = [];

  constructor(
    statements: readonly Statement[],
    known: KnownStatements,
    done: (error: Error | null, answers: Row[][]) => void,
  ) {
    super("");
    this.statements = statements;
    this.known = known;
    this.done = done;
  }

  override submit = (connection: unknown): void => this.send(connection as DriverConnection);

  private send(connection: DriverConnection): void {
    for (const { name, text, values } of this.statements) {
      if (name === "" || !this.known.has(name)) {
        connection.parse({ name, text });
        connection.describe({ type: "S", name });
        this.known.set(name, "asked");
      }
      connection.bind({ statement: name, values, valueMapper: prepareValue });
      connection.execute();
    }
    connection.sync();
  }

  handleRowDescription({ fields }: { fields: FieldDef[] }): void {
    const name = this.statements[this.answers.length]?.name;
    if (name !== undefined) this.known.set(name, fields.map(toColumn));
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    const { answer, statements, answers } = this;
    if (answer.length === 0) {
      const columns = this.known.get(statements[answers.length]?.name ?? "");
      if (Array.isArray(columns)) this.columns = columns;
    }
    const row: Row = {};
    let at = 0;
    for (const { name, read } of this.columns) {
      const text = fields[at++] ?? null;
      row[name] = text === null ? null : read(text);
    }
    answer.push(row);
  }

  handleCommandComplete(): void {
    const name = this.statements[this.answers.length]?.name;
    if (name !== undefined && this.known.get(name) === "asked") this.known.set(name, []);
    this.answers.push(this.answer);
    this.answer = [];
  }

  handleReadyForQuery(): void {
    this.done(null, this.answers);
  }

  handleError(error: Error): void {
    for (const { name } of this.statements) if (this.known.get(name) === "asked") this.known.delete(name);
    this.done(error, []);
  }
}

const toColumn = ({ name, dataTypeID }: FieldDef): Column => ({
  name,
  read: pgTypes.getTypeParser(dataTypeID, "text"),
});
