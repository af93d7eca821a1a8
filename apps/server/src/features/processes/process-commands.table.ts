import { type Generated, sql } from "kysely";
import { processChannel } from "../../db/mark-process-alive.ts";
import type { Tx } from "../../db/transaction.ts";

export interface ProcessCommandTable {
  id: string;
  /** The process that runs it. */
  process_key: number;
  asked_by: number;
  /** Encrypted, like the answer: they contain SDP. */
  command: string;
  answer: string | null;
  created_at: Generated<string>;
  taken_at: string | null;
}

const notify = async (tx: Tx, processKey: number): Promise<void> => {
  await sql`select pg_notify(${processChannel}, ${String(processKey)})`.execute(tx);
};

/** Also deletes what dead processes left behind. */
export async function insertCommand(
  tx: Tx,
  command: { id: string; processKey: number; askedBy: number; command: string },
): Promise<void> {
  const { id, processKey, askedBy } = command;
  await tx
    .deleteFrom("process_commands")
    .where("created_at", "<", sql<string>`clock_timestamp() - interval '5 minutes'`)
    .execute();
  await tx
    .insertInto("process_commands")
    .values({ id, process_key: processKey, asked_by: askedBy, command: command.command })
    .execute();
  await notify(tx, processKey);
}

/** Takes this process's pending commands. Older ones are left to the process that asked, which withdraws them. */
export async function takeCommands(
  tx: Tx,
  { processKey, youngerThanMs }: { processKey: number; youngerThanMs: number },
): Promise<{ id: string; asked_by: number; command: string }[]> {
  return tx
    .updateTable("process_commands")
    .set({ taken_at: sql<string>`clock_timestamp()` })
    .where("process_key", "=", processKey)
    .where("taken_at", "is", null)
    .where("created_at", ">", sql<string>`clock_timestamp() - ${youngerThanMs} * interval '1 millisecond'`)
    .returning(["id", "asked_by", "command"])
    .execute();
}

export async function writeAnswer(tx: Tx, answered: { id: string; askedBy: number; answer: string }): Promise<void> {
  await tx.updateTable("process_commands").set({ answer: answered.answer }).where("id", "=", answered.id).execute();
  await notify(tx, answered.askedBy);
}

export async function collectAnswers(tx: Tx, askedBy: number): Promise<{ id: string; answer: string | null }[]> {
  return tx
    .deleteFrom("process_commands")
    .where("asked_by", "=", askedBy)
    .where("answer", "is not", null)
    .returning(["id", "answer"])
    .execute();
}

/** Returns true if it was withdrawn before a process took it: then it never runs. */
export async function withdrawCommand(tx: Tx, id: string): Promise<boolean> {
  const withdrawn = await tx
    .deleteFrom("process_commands")
    .where("id", "=", id)
    .where("taken_at", "is", null)
    .returning("id")
    .executeTakeFirst();
  return withdrawn !== undefined;
}
