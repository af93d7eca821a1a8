import { maxConflictLeads } from "@leadline/contract/lead-conflicts";
import { type RawBuilder, sql } from "kysely";
import type { Tx } from "../../db/transaction.ts";

export type ConflictKind = "phone" | "email";

export interface Conflict {
  kind: ConflictKind;
  value: string;
  /** The oldest first. */
  ids: string[];
  count: number;
}

export interface LeadSeparationTable {
  organisation_id: string;
  kind: ConflictKind;
  value: string;
  lead_ids: string[];
}

const noIntegration = "00000000-0000-0000-0000-000000000000";

/** What leads can share, and which leads count. The organisation's own numbers don't. */
const shared: Record<
  ConflictKind,
  { value: RawBuilder<string>; where: RawBuilder<boolean>; having: RawBuilder<boolean> }
> = {
  phone: {
    value: sql<string>`leads.phone_number`,
    where: sql<boolean>`leads.phone_number is not null and not exists (
      select from phone_numbers where phone_numbers.organisation_id = leads.organisation_id
        and phone_numbers.number = leads.phone_number and phone_numbers.state = 'owned')
      and not exists (
        select from verified_caller_ids where verified_caller_ids.organisation_id = leads.organisation_id
          and verified_caller_ids.number = leads.phone_number)`,
    having: sql<boolean>`true`,
  },
  email: {
    value: sql<string>`lower(leads.email)`,
    where: sql<boolean>`leads.email <> ''`,
    // Leads that also share a number are already a conflict.
    having: sql<boolean>`not (count(distinct shared.phone_number) = 1 and count(shared.phone_number) = count(*))`,
  },
};

interface Page {
  organisationId: string;
  kind: ConflictKind;
  after: string | null;
  limit: number;
}

/** Ordered by the shared value, which each kind has an index for. */
const conflicts = ({ organisationId, kind, after, limit }: Page) => {
  const { value, where, having } = shared[kind];
  return sql`
    select shared.value, array_agg(shared.id order by shared.position) as ids from (
      select leads.id, leads.position, leads.integration_id, leads.phone_number, ${value} as value from leads
      where leads.organisation_id = ${organisationId} and ${where}
        and (${after}::text is null or ${value} > ${after}::text)
    ) as shared
    group by shared.value
    having count(distinct coalesce(shared.integration_id, ${noIntegration}::uuid)) > 1 and ${having}
      and not exists (
        select from lead_separations as kept
        where kept.organisation_id = ${organisationId} and kept.kind = ${kind} and kept.value = shared.value
          and kept.lead_ids @> array_agg(shared.id))
    order by shared.value limit ${limit}`;
};

export async function selectConflicts(tx: Tx, page: Page): Promise<Conflict[]> {
  const { rows } = await sql<{ value: string; ids: string[]; count: number }>`
    select value, ids[1:${sql.lit(maxConflictLeads)}] as ids, cardinality(ids) as count
    from (${conflicts(page)}) as found order by value`.execute(tx);
  return rows.map(({ value, ids, count }) => ({ kind: page.kind, value, ids, count }));
}

export async function countConflicts(tx: Tx, page: Omit<Page, "after">): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (${conflicts({ ...page, after: null })}) as found`.execute(tx);
  return rows[0]?.count ?? 0;
}

/** Returns false if no two leads share the value. */
export async function insertSeparation(
  tx: Tx,
  { organisationId, kind, value: given }: { organisationId: string; kind: ConflictKind; value: string },
): Promise<boolean> {
  const { value, where } = shared[kind];
  const { rows } = await sql`
    insert into lead_separations (organisation_id, kind, value, lead_ids)
    select ${organisationId}::uuid, ${kind}, ${given}, array_agg(leads.id) from leads
    where leads.organisation_id = ${organisationId} and ${where} and ${value} = ${given} having count(*) > 1
    on conflict (organisation_id, kind, value) do update set lead_ids = excluded.lead_ids
    returning value`.execute(tx);
  return rows.length > 0;
}
