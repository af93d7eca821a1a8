import type { FieldDef } from "pg";

/** What of the driver a burst stands on, beyond its typed surface (pg/lib/connection.js, pg/lib/client.js). */
export interface DriverConnection {
  parse(statement: { name: string; text: string }): void;
  describe(what: { type: "S"; name: string }): void;
  close(what: { type: "S"; name: string }): void;
  bind(bound: { statement: string; values: readonly unknown[] }): void;
  execute(): void;
  sync(): void;
}

/** What the driver's client hands the query whose answer is coming. */
export interface AnswerReader {
  submit(connection: DriverConnection): void;
  handleRowDescription(message: { fields: FieldDef[] }): void;
  handleDataRow(message: { fields: (string | null)[] }): void;
  handleCommandComplete(message: { text: string }): void;
  handleEmptyQuery(): void;
  handleReadyForQuery(): void;
  handleError(error: Error): void;
}
