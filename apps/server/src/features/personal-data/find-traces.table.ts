import { type RawBuilder, sql } from "kysely";
import { seeRemovedLeads } from "../../db/see-removed-leads.ts";
import type { Tx } from "../../db/transaction.ts";

export interface LeadKey {
  id: string;
  organisationId: string;
}

/** Everything by which a lead is known. */
export interface Traces {
  organisationId: string;
  /** The lead's, and those of leads that were merged into it. */
  ids: string[];
  names: string[];
  /** E.164; without those that another lead has too. */
  numbers: string[];
  /** Ids, numbers, and what was typed as phone and email, in lower case; without those that another lead has too. */
  texts: string[];
  /** Of its records in CRMs. */
  externalIds: string[];
  callSids: string[];
}

/** Shorter texts would match data about other people. */
const shortestText = 7;

interface LeadRow {
  id: string;
  name: string;
  external_ids: string[];
}

/** Whether a text contains one of the person's. */
export const mentions = (written: RawBuilder<unknown>, { texts }: Pick<Traces, "texts">) =>
  sql`exists (select from unnest(${texts}::text[]) as own (text) where position(text in lower(${written})) > 0)`;

/**
 * Shows removed leads to the rest of the transaction. The same traces are in the same order. With `locks` it locks the
 * integrations, then the leads, as syncs do.
 */
export async function findTraces(
  tx: Tx,
  { id, organisationId }: LeadKey,
  { locks }: { locks: boolean },
): Promise<Traces> {
  await seeRemovedLeads(tx, "on");
  if (locks)
    await sql`select from integrations where organisation_id = ${organisationId} order by id for update`.execute(tx);
  const { rows } = await sql<LeadRow>`
    select id, trim(first_name || ' ' || last_name) as name,
      array_remove(array[external_id, former_external_id], null) as external_ids
    from leads where organisation_id = ${organisationId} and id in (${leadWithMerged({ id, organisationId })})
    order by id ${locks ? sql`for update` : sql``}`.execute(tx);
  const ids = rows.map((row) => row.id);
  const texts = await selectTexts(tx, { organisationId, ids });
  const numbers = texts.flatMap(({ text, number }) => (text === number ? text : [])).toSorted();
  const { rows: calls } = await sql<{ call_sid: string }>`
    select call_sid from calls where organisation_id = ${organisationId} and lead_id = any(${ids}::uuid[])
    union
    select call_sid from calls where organisation_id = ${organisationId} and lead_id is null
      and phone_number = any(${numbers}::text[])`.execute(tx);
  return {
    organisationId,
    ids,
    names: rows.map((row) => row.name).filter((name) => name.length >= shortestText),
    numbers,
    texts: [...new Set([...ids, ...texts.map((row) => row.text)])].toSorted(),
    externalIds: rows.flatMap((row) => row.external_ids),
    callSids: calls.map((row) => row.call_sid).toSorted(),
  };
}

/** What was typed as a phone counts as shared if its number is. */
async function selectTexts(tx: Tx, { organisationId, ids }: Pick<Traces, "organisationId" | "ids">) {
  const another = sql`from leads another
    where organisation_id = ${organisationId} and removal_id is null and id <> all(${ids}::uuid[])`;
  const { rows } = await sql<{ text: string; number: string | null }>`
    with own as (
      select phone_number, lower(phone) as phone, lower(email) as email from leads where id = any(${ids}::uuid[])
    ), written (text, number, email) as (
      select phone_number, phone_number, null from own
      union select phone, phone_number, null from own
      union select email, null, email from own
      union select phone_number, phone_number, null from calls
        where organisation_id = ${organisationId} and lead_id = any(${ids}::uuid[])
    )
    select text, number from written
    where length(text) >= ${shortestText}
      and not exists (select ${another} and another.phone_number = written.number)
      and not exists (select ${another} and another.email <> '' and lower(another.email) = written.email)`.execute(tx);
  return rows;
}

const leadWithMerged = ({ id, organisationId }: LeadKey) => sql`
  with recursive own (id) as (
    select ${id}::uuid
    union
    select leads.id from own
    join lead_merges on lead_merges.organisation_id = ${organisationId} and lead_merges.kept_id = own.id
    join leads on leads.organisation_id = ${organisationId} and leads.removal_id = lead_merges.id
  )
  select id from own`;

/**
 * The integration whose CRM may have created a record of the lead just now: its answer is still missing. Locks the
 * creation until the transaction ends, so that none begins.
 */
export async function findCreationUnderWay(
  tx: Tx,
  { organisationId, ids }: Traces,
): Promise<{ label: string; isConnected: boolean } | null> {
  const { rows } = await sql<{ label: string; isConnected: boolean; isUnderWay: boolean }>`
    select label, status = 'active' and integrations.problem is null as "isConnected",
      state = 'waiting' and created_with is not null as "isUnderWay"
    from lead_writes join integrations on integrations.id = lead_writes.integration_id
    where lead_writes.organisation_id = ${organisationId} and lead_id = any(${ids}::uuid[]) and creates
    order by lead_id for update of lead_writes`.execute(tx);
  return rows.find(({ isUnderWay }) => isUnderWay) ?? null;
}

/** Of the lead, or a transfer to it. */
export async function hasLiveCall(tx: Tx, { organisationId, ids, numbers, callSids }: Traces): Promise<boolean> {
  const { rows } = await sql`
    select 1 from calls where ended_at is null and call_sid = any(${callSids}::text[])
    union all
    select 1 from call_transfers where organisation_id = ${organisationId} and status in ('asked', 'ringing')
      and (lead_id = any(${ids}::uuid[]) or phone_number = any(${numbers}::text[]))
    limit 1`.execute(tx);
  return rows.length > 0;
}
