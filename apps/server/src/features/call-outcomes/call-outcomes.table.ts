import type { CallOutcome } from "@leadline/contract/call-outcomes";
import { sql, type Generated } from "kysely";
import type { Tx } from "../../db/transaction.ts";

export interface CallOutcomeTable {
  id: Generated<string>;
  organisation_id: string;
  name: string;
  position: number;
  archived_at: string | null;
  do_not_call: Generated<boolean>;
  call_back: Generated<boolean>;
  created_at: Generated<string>;
}

const selectOutcomes = (tx: Tx, organisationId: string) =>
  tx
    .selectFrom("call_outcomes")
    .select([
      "id",
      "name",
      sql<boolean>`archived_at is not null`.as("archived"),
      "do_not_call as doNotCall",
      "call_back as callBack",
      sql<boolean>`exists (select from calls where calls.outcome_id = call_outcomes.id)`.as("inUse"),
    ])
    .where("organisation_id", "=", organisationId);

const toCallOutcome = ({ id, name, archived, doNotCall, callBack, inUse }: CallOutcome): CallOutcome => ({
  id,
  name,
  archived,
  doNotCall,
  callBack,
  inUse,
});

/** In the organisation's order, archived ones last. */
export async function selectCallOutcomes(tx: Tx, organisationId: string): Promise<CallOutcome[]> {
  const rows = await selectOutcomes(tx, organisationId)
    .orderBy(sql`archived_at is not null`)
    .orderBy("position")
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  return rows.map(toCallOutcome);
}

export async function findCallOutcome(
  tx: Tx,
  key: { organisationId: string; id: string },
): Promise<CallOutcome | undefined> {
  const row = await selectOutcomes(tx, key.organisationId).where("id", "=", key.id).executeTakeFirst();
  return row && toCallOutcome(row);
}

/** Locks the list against other changes until the transaction ends. */
export async function lockCallOutcomes(tx: Tx, organisationId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('call-outcomes:' || ${organisationId}, 0))`.execute(tx);
}

/** Locks the outcome against removal until the transaction ends. Undefined if the organisation has no such outcome. */
export async function holdCallOutcome(
  tx: Tx,
  key: { organisationId: string; id: string },
): Promise<{ archived: boolean } | undefined> {
  return tx
    .selectFrom("call_outcomes")
    .select(sql<boolean>`archived_at is not null`.as("archived"))
    .where("organisation_id", "=", key.organisationId)
    .where("id", "=", key.id)
    .forKeyShare()
    .executeTakeFirst();
}

/** Appends them to the list, in this order. */
export async function insertCallOutcomes(
  tx: Tx,
  organisationId: string,
  outcomes: readonly { name: string; doNotCall?: boolean; callBack?: boolean }[],
): Promise<{ id: string }[]> {
  return tx
    .insertInto("call_outcomes")
    .values(
      outcomes.map(({ name, doNotCall = false, callBack = false }, index) => ({
        organisation_id: organisationId,
        name,
        do_not_call: doNotCall,
        call_back: callBack,
        archived_at: null,
        position: sql<number>`${index + 1}::int + (
          select coalesce(max(position), 0) from call_outcomes where organisation_id = ${organisationId}
        )`,
      })),
    )
    .returning("id")
    .execute();
}

export interface CallOutcomeChange {
  name?: string | undefined;
  archived?: boolean | undefined;
  doNotCall?: boolean | undefined;
  callBack?: boolean | undefined;
}

export async function changeCallOutcome(
  tx: Tx,
  key: { organisationId: string; id: string },
  change: CallOutcomeChange,
): Promise<void> {
  const { name, archived, doNotCall, callBack } = change;
  if ([name, archived, doNotCall, callBack].every((given) => given === undefined)) return;
  await tx
    .updateTable("call_outcomes")
    .set({
      ...(name !== undefined && { name }),
      ...(doNotCall !== undefined && { do_not_call: doNotCall }),
      ...(callBack !== undefined && { call_back: callBack }),
      ...(archived !== undefined && { archived_at: archived ? sql<string>`coalesce(archived_at, now())` : null }),
    })
    .where("organisation_id", "=", key.organisationId)
    .where("id", "=", key.id)
    .execute();
}

/** Deletes the outcome unless a call uses it. Returns whether it was deleted. */
export async function deleteUnusedCallOutcome(tx: Tx, key: { organisationId: string; id: string }): Promise<boolean> {
  const outcome = tx
    .selectFrom("call_outcomes")
    .select("id")
    .where("organisation_id", "=", key.organisationId)
    .where("id", "=", key.id);
  await outcome.forUpdate().executeTakeFirst();
  const deleted = await tx
    .deleteFrom("call_outcomes")
    .where("organisation_id", "=", key.organisationId)
    .where("id", "=", key.id)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom("calls").select("calls.id").whereRef("calls.outcome_id", "=", "call_outcomes.id"))),
    )
    .executeTakeFirst();
  return deleted.numDeletedRows > 0n;
}

export async function positionCallOutcomes(tx: Tx, organisationId: string, ids: readonly string[]): Promise<void> {
  await sql`
    update call_outcomes set position = ranked.position
    from (
      select id, row_number() over (
        order by array_position(${[...ids]}::uuid[], id) nulls last, position, created_at, id
      ) as position
      from call_outcomes where organisation_id = ${organisationId}
    ) as ranked
    where call_outcomes.id = ranked.id and call_outcomes.organisation_id = ${organisationId}`.execute(tx);
}
