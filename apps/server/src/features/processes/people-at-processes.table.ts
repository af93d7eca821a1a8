import { type JSONColumnType } from "kysely";
import { listLivingProcesses } from "../../db/mark-process-alive.ts";
import type { Tx } from "../../db/transaction.ts";

export interface PeopleAtProcess {
  /** The people with Leadline open, by organisation, according to this process's event streams. */
  present: { organisationId: string; userId: string }[];
  /** The people on this process's calls, and those being rung directly by a teammate. */
  inCall: string[];
}

export interface PeopleAtProcessTable {
  process_key: number;
  present: JSONColumnType<PeopleAtProcess["present"]>;
  in_call: JSONColumnType<PeopleAtProcess["inCall"]>;
}

/** Also deletes the rows of dead processes. */
export async function putPeopleAt(tx: Tx, processKey: number, { present, inCall }: PeopleAtProcess): Promise<void> {
  const living = await listLivingProcesses(tx);
  await tx
    .deleteFrom("people_at_processes")
    .where("process_key", "not in", [processKey, ...living])
    .execute();
  const row = { present: JSON.stringify(present), in_call: JSON.stringify(inCall) };
  await tx
    .insertInto("people_at_processes")
    .values({ process_key: processKey, ...row })
    .onConflict((conflict) => conflict.column("process_key").doUpdateSet(row))
    .execute();
}

export const deletePeopleAt = (tx: Tx, processKey: number): Promise<unknown> =>
  tx.deleteFrom("people_at_processes").where("process_key", "=", processKey).execute();

/** Of all living processes, or all but one. */
export async function selectPeopleAt(tx: Tx, options: { exceptKey?: number } = {}): Promise<PeopleAtProcess[]> {
  const living = await listLivingProcesses(tx);
  const others = living.filter((key) => key !== options.exceptKey);
  if (others.length === 0) return [];
  const rows = await tx
    .selectFrom("people_at_processes")
    .select(["present", "in_call"])
    .where("process_key", "in", others)
    .execute();
  return rows.map(({ present, in_call: inCall }) => ({ present, inCall }));
}
