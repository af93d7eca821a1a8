import type { LeadSort, LeadStatus } from "@leadline/contract/leads";
import { type RawBuilder, type Selectable, sql } from "kysely";
import type { Tx } from "../../db/transaction.ts";
import { leadColumns, type LeadTable, onDoNotCall, statusRankOf } from "./leads.table.ts";

/** The last row of the page before. */
export interface LeadCursor {
  position: number;
  sortName: string;
  statusRank: number;
}

export interface LeadPage {
  organisationId: string;
  sort: LeadSort;
  status: LeadStatus | undefined;
  /** A number as E.164, or as it is written where it is none. */
  phone: { number: string } | { written: string } | undefined;
  /** LIKE patterns, all of which a lead must hold. */
  patterns: readonly string[];
  after: LeadCursor | undefined;
  limit: number;
}

type PageRow = Pick<Selectable<LeadTable>, (typeof leadColumns)[number] | "position"> & {
  do_not_call: boolean;
  /** Where the page is sorted by it. */
  sort_name?: string;
};

const columnsOf = ({ sort }: LeadPage) => [...leadColumns, "position", ...(sort === "name" ? ["sort_name"] : [])];
const pageColumns = (page: LeadPage) => sql.raw(columnsOf(page).join(", "));

/** Asked of the rows that are shown alone: a search passes by thousands more. */
const withDoNotCall = <Row = PageRow>(page: LeadPage, rows: RawBuilder<unknown>): RawBuilder<Row> => sql<Row>`
  select page.*, ${onDoNotCall("page", page.organisationId)} as do_not_call from (${rows}) as page`;

/** Where the page after this one begins. */
export const cursorAt = (row: PageRow): LeadCursor => ({
  position: row.position,
  sortName: row.sort_name ?? "",
  statusRank: statusRankOf(row.status),
});

const orders = {
  newest: sql`position desc`,
  oldest: sql`position`,
  name: sql`sort_name, position`,
  // Within a status, who has waited longest.
  status: sql`status_rank, position`,
} as const satisfies Record<LeadSort, RawBuilder<unknown>>;

const follows = {
  newest: ({ position }) => sql`position < ${position}`,
  oldest: ({ position }) => sql`position > ${position}`,
  name: ({ sortName, position }) => sql`(sort_name, position) > (${sortName}, ${position}::bigint)`,
  status: ({ statusRank, position }) => sql`(status_rank, position) > (${statusRank}::smallint, ${position}::bigint)`,
} as const satisfies Record<LeadSort, (cursor: LeadCursor) => RawBuilder<unknown>>;

/** Everything but the search, which row-level security keeps from every index. */
function conditions({ organisationId, sort, status, phone, after }: LeadPage): RawBuilder<unknown> {
  const all = [sql`organisation_id = ${organisationId}`];
  if (status !== undefined) all.push(sql`status_rank = ${statusRankOf(status)}::smallint`);
  if (phone !== undefined)
    all.push("number" in phone ? sql`phone_number = ${phone.number}` : sql`phone = ${phone.written}`);
  if (after !== undefined) all.push(follows[sort](after));
  return sql.join(all, sql` and `);
}

const holdsAll = (patterns: readonly string[]): RawBuilder<unknown> => sql`search like all (${patterns}::text[])`;

/** The page, by walking the sort's own index. */
export async function selectLeadPage(tx: Tx, page: LeadPage): Promise<PageRow[]> {
  const matching = page.patterns.length === 0 ? sql`true` : holdsAll(page.patterns);
  const walked = sql`
    select ${pageColumns(page)} from leads
    where ${conditions(page)} and ${matching} order by ${orders[page.sort]} limit ${page.limit}`;
  const { rows } = await withDoNotCall(page, walked).execute(tx);
  return rows;
}

/** Of the next `most` leads in order, those that hold every pattern; a limit stops the walk. */
const heldAmongNext = (page: LeadPage, most: number): RawBuilder<unknown> => sql`
  select ${pageColumns(page)} from (
    select ${pageColumns(page)}, search from leads where ${conditions(page)} order by ${orders[page.sort]} limit ${most}
  ) as next
  where ${holdsAll(page.patterns)}`;

/**
 * In one trip: the page as far as the next `most` leads hold it, or, where fewer than `telling` of them do and others
 * follow, as the trigram index finds it. `isWhole` where the page is full or nothing can follow it.
 */
export async function selectNearOrFoundLeadPage(tx: Tx, page: LeadPage, within: { most: number; telling: number }) {
  const nothing = sql.join(columnsOf(page).map(() => sql`null`));
  const telling = Math.min(within.telling, page.limit);
  // To plan it anew for each term takes a millisecond and brings the same plan; the walk and the index stand fixed in it.
  const plannedOnce = sql`set local plan_cache_mode = force_generic_plan`.execute(tx);
  const nearOrFound = sql`
    with near as materialized (${heldAmongNext(page, within.most)} limit ${page.limit}),
    followed as materialized (
      select from leads where ${conditions(page)} order by ${orders[page.sort]} offset ${within.most}::bigint - 1 limit 1
    ),
    rare as materialized (select count(*) < ${telling} and exists (select from followed) as is_rare from near)
    select * from near where not (select is_rare from rare)
    union all select ${nothing} from followed where not (select is_rare from rare)
    union all (${foundPage(page, { wanted: sql`(select is_rare from rare)` })})`;
  const found = withDoNotCall<PageRow | { id: null }>(page, nearOrFound).execute(tx);
  const [{ rows }] = await Promise.all([found, plannedOnce]);
  const held = rows.filter((row) => row.id !== null);
  return { rows: held, isWhole: held.length === page.limit || held.length === rows.length };
}

/** The page, where the next `most` leads fill it, found without going farther than that; null where they do not. */
export async function walkToLeadPage(tx: Tx, page: LeadPage, most: number): Promise<PageRow[] | null> {
  const walked = sql`${heldAmongNext(page, most)} limit ${page.limit}`;
  const { rows } = await withDoNotCall(page, walked).execute(tx);
  return rows.length < page.limit ? null : rows;
}

/** Out of the leads at these positions; the fewer they are, the quicker. */
const pageAt = (page: LeadPage, positions: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select ${pageColumns(page)} from leads
  where ${conditions(page)} and position = any (array(${positions})) order by ${orders[page.sort]} limit ${page.limit}`;

/** Out of the leads that the trigram index finds. It is asked only where `wanted`. */
const foundPage = (page: LeadPage, { wanted = sql`true` }: { wanted?: RawBuilder<unknown> } = {}) =>
  pageAt(
    page,
    sql`select position from leadline_search.lead_positions(${page.patterns}::text[], null) as position where ${wanted}`,
  );

export async function selectFoundLeadPage(tx: Tx, page: LeadPage): Promise<PageRow[]> {
  const { rows } = await withDoNotCall(page, foundPage(page)).execute(tx);
  return rows;
}

/** The page of newest leads, where the newest two stretches of 65,536 positions fill it; null where they do not. */
export async function selectNewestFoundLeadPage(tx: Tx, page: LeadPage): Promise<PageRow[] | null> {
  const newest = sql`(select position from leads where ${conditions(page)} order by position desc limit 1)`;
  const positions = sql`select leadline_search.newest_lead_positions(${page.patterns}::text[], ${newest}, ${page.limit})`;
  const { rows } = await withDoNotCall(page, pageAt(page, positions)).execute(tx);
  return rows.length < page.limit ? null : rows;
}

/** Where the organisation's leads are that hold every pattern; null where there are more than `most`. */
export async function findLeadPositions(tx: Tx, patterns: readonly string[], most: number): Promise<number[] | null> {
  const { rows } = await sql<{ position: number }>`
    select position from leadline_search.lead_positions(${patterns}::text[], ${most + 1}) as position`.execute(tx);
  return rows.length > most ? null : rows.map((row) => row.position);
}

export async function selectIdsAt(
  tx: Tx,
  at: { organisationId: string; positions: readonly number[] },
): Promise<{ ids: string[]; numbers: string[] }> {
  const { rows } = await sql<{ id: string; phone_number: string | null }>`
    select id, phone_number from leads
    where organisation_id = ${at.organisationId} and position = any (${at.positions}::bigint[])`.execute(tx);
  return { ids: rows.map((row) => row.id), numbers: [...new Set(rows.flatMap((row) => row.phone_number ?? []))] };
}
