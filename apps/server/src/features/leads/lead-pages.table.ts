import type { LeadConditions, LeadSort } from "@leadline/contract/leads";
import { type RawBuilder, type Selectable, sql } from "kysely";
import type { Tx } from "../../db/transaction.ts";
import { type DueTimes, meetConditions } from "./lead-conditions.table.ts";
import { leadColumns, type LeadTable, onDoNotCall } from "./leads.table.ts";

/** The last row of the previous page. */
export interface LeadCursor {
  position: number;
  /** The sort key. Null if sorted by position only. */
  key: string | null;
}

export interface LeadPage {
  organisationId: string;
  sort: LeadSort;
  conditions: LeadConditions;
  times: DueTimes;
  /** A number in E.164, or as written if it isn't one. */
  phone: { number: string } | { written: string } | undefined;
  /** LIKE patterns, all of which must match. */
  patterns: readonly string[];
  after: LeadCursor | undefined;
  limit: number;
}

type PageRow = Pick<Selectable<LeadTable>, (typeof leadColumns)[number] | "position"> & {
  do_not_call: boolean;
  member_name: string | null;
  follow_up_name: string | null;
  sort_key: string | null;
};

/** The column that a list is sorted by before the position, and its type; each has an index of (organisation, column, position). */
const sortKeys = {
  name: ["sort_name", "text"],
  company: ["sort_company", "text"],
  jobTitle: ["sort_job_title", "text"],
  email: ["sort_email", "text"],
  phone: ["sort_phone", "text"],
  // Within a status, those who have waited longest first.
  status: ["status_rank", "smallint"],
  lastCall: ["last_called_at", "timestamptz"],
  nextStep: ["sort_next_step", "text"],
  followUp: ["due_at", "timestamp"],
} as const;

interface Order {
  key: readonly [column: string, type: string] | null;
  down: boolean;
}

function orderOf(sort: LeadSort): Order {
  if (sort === "newest" || sort === "oldest") return { key: null, down: sort === "newest" };
  const down = sort.startsWith("-");
  return { key: sortKeys[sort.replace("-", "") as keyof typeof sortKeys], down };
}

const columnsOf = ({ sort }: LeadPage) => {
  const { key } = orderOf(sort);
  return [...new Set([...leadColumns, "position", ...(key === null ? [] : [key[0]])])];
};
const pageColumns = (page: LeadPage) => sql.raw(columnsOf(page).join(", "));

/** Only for the rows shown, because a search walks past thousands more. */
function withDetails<Row = PageRow>(page: LeadPage, rows: RawBuilder<unknown>): RawBuilder<Row> {
  const { key } = orderOf(page.sort);
  return sql<Row>`
    select page.*, ${onDoNotCall("page", page.organisationId)} as do_not_call,
      owner.first_name || ' ' || owner.last_name as member_name,
      follower.first_name || ' ' || follower.last_name as follow_up_name,
      ${sql.raw(key === null ? "null" : `page.${key[0]}::text`)} as sort_key
    from (${rows}) as page
    left join users as owner on owner.id = page.owner_id
    left join users as follower on follower.id = page.follow_up_user_id
    order by ${order(page, "page.")}`;
}

/** Where the next page starts. */
export const cursorAt = (row: PageRow): LeadCursor => ({ position: row.position, key: row.sort_key });

function order({ sort }: LeadPage, table = ""): RawBuilder<unknown> {
  const { key, down } = orderOf(sort);
  return sql.raw(
    [...(key === null ? [] : [key[0]]), "position"].map((by) => table + by + (down ? " desc" : "")).join(", "),
  );
}

function follows({ sort }: LeadPage, { key: given, position }: LeadCursor): RawBuilder<unknown> {
  const { key, down } = orderOf(sort);
  const sign = sql.raw(down ? "<" : ">");
  if (key === null) return sql`position ${sign} ${position}`;
  return sql`(${sql.raw(key[0])}, position) ${sign} (${given}::${sql.raw(key[1])}, ${position}::bigint)`;
}

/** All conditions but the search, which no index can serve below row-level security. */
function conditions(page: LeadPage): RawBuilder<unknown> {
  const { phone, after } = page;
  const all = [sql`organisation_id = ${page.organisationId}`, ...meetConditions(page.conditions, page.times)];
  if (phone !== undefined)
    all.push("number" in phone ? sql`phone_number = ${phone.number}` : sql`phone = ${phone.written}`);
  if (after !== undefined) all.push(follows(page, after));
  return sql.join(all, sql` and `);
}

const holdsAll = (patterns: readonly string[]): RawBuilder<unknown> => sql`search like all (${patterns}::text[])`;

/** The page, read in the order of the sort's index. */
export async function selectLeadPage(tx: Tx, page: LeadPage): Promise<PageRow[]> {
  const matching = page.patterns.length === 0 ? sql`true` : holdsAll(page.patterns);
  const walked = sql`
    select ${pageColumns(page)} from leads
    where ${conditions(page)} and ${matching} order by ${order(page)} limit ${page.limit}`;
  const { rows } = await withDetails(page, walked).execute(tx);
  return rows;
}

/** Matches among the next `most` leads in order. A limit stops the walk. */
const heldAmongNext = (page: LeadPage, most: number): RawBuilder<unknown> => sql`
  select ${pageColumns(page)} from (
    select ${pageColumns(page)}, search from leads where ${conditions(page)} order by ${order(page)} limit ${most}
  ) as next
  where ${holdsAll(page.patterns)}`;

/**
 * In one round trip: the page from the next `most` leads or, if fewer than `telling` of them match and more follow,
 * from the trigram index. `isWhole` if the page is full or nothing can follow it.
 */
export async function selectNearOrFoundLeadPage(tx: Tx, page: LeadPage, within: { most: number; telling: number }) {
  const nothing = sql.join(columnsOf(page).map(() => sql`null`));
  const telling = Math.min(within.telling, page.limit);
  // Planning again for each term takes a millisecond and gives the same plan: the query fixes the walk and the index.
  const plannedOnce = sql`set local plan_cache_mode = force_generic_plan`.execute(tx);
  const nearOrFound = sql`
    with near as materialized (${heldAmongNext(page, within.most)} limit ${page.limit}),
    followed as materialized (
      select from leads where ${conditions(page)} order by ${order(page)} offset ${within.most}::bigint - 1 limit 1
    ),
    rare as materialized (select count(*) < ${telling} and exists (select from followed) as is_rare from near)
    select * from near where not (select is_rare from rare)
    union all select ${nothing} from followed where not (select is_rare from rare)
    union all (${foundPage(page, { wanted: sql`(select is_rare from rare)` })})`;
  const found = withDetails<PageRow | { id: null }>(page, nearOrFound).execute(tx);
  const [{ rows }] = await Promise.all([found, plannedOnce]);
  const held = rows.filter((row) => row.id !== null);
  return { rows: held, isWhole: held.length === page.limit || held.length === rows.length };
}

/** The page, if the next `most` leads fill it without walking any farther. Null otherwise. */
export async function walkToLeadPage(tx: Tx, page: LeadPage, most: number): Promise<PageRow[] | null> {
  const walked = sql`${heldAmongNext(page, most)} limit ${page.limit}`;
  const { rows } = await withDetails(page, walked).execute(tx);
  return rows.length < page.limit ? null : rows;
}

/** The page from the leads at these positions; faster the fewer they are. */
const pageAt = (page: LeadPage, positions: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select ${pageColumns(page)} from leads
  where ${conditions(page)} and position = any (array(${positions})) order by ${order(page)} limit ${page.limit}`;

/** The page from the leads that the trigram index finds. The index is only read where `wanted`. */
const foundPage = (page: LeadPage, { wanted = sql`true` }: { wanted?: RawBuilder<unknown> } = {}) =>
  pageAt(
    page,
    sql`select position from leadline_search.lead_positions(${page.patterns}::text[], null) as position where ${wanted}`,
  );

export async function selectFoundLeadPage(tx: Tx, page: LeadPage): Promise<PageRow[]> {
  const { rows } = await withDetails(page, foundPage(page)).execute(tx);
  return rows;
}

/** The page of newest leads, if the newest two stretches of 65,536 positions fill it. Null otherwise. */
export async function selectNewestFoundLeadPage(tx: Tx, page: LeadPage): Promise<PageRow[] | null> {
  const newest = sql`(select position from leads where ${conditions(page)} order by position desc limit 1)`;
  const positions = sql`select leadline_search.newest_lead_positions(${page.patterns}::text[], ${newest}, ${page.limit})`;
  const { rows } = await withDetails(page, pageAt(page, positions)).execute(tx);
  return rows.length < page.limit ? null : rows;
}

/** The positions of leads that match every pattern. Null if there are more than `most`. */
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
