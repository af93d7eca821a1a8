import type { LeadConditions, LeadSort } from "@leadline/contract/leads";
import { formerMember } from "../../../db/person-name.ts";
import { type RawBuilder, type Selectable, sql } from "kysely";
import type { Tx } from "../../../db/transaction.ts";
import { type DueTimes, meetConditions } from "./lead-conditions.table.ts";
import { leadColumns, type LeadTable, onDoNotCall } from "../leads.table.ts";

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

/** A column that a list is sorted by before the position, and its type. */
type SortKey = readonly [column: string, type: string];

/** Each has an index of (organisation, column, position). */
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
} as const satisfies Record<string, SortKey>;
/** By name, then by owner, because two may have the same name. */
const ownerKeys = [
  ["sort_owner", "text"],
  ["owner_group", "text"],
] as const satisfies SortKey[];

interface Order {
  keys: readonly SortKey[];
  down: boolean;
}

function orderOf(sort: LeadSort): Order {
  if (sort === "newest" || sort === "oldest") return { keys: [], down: sort === "newest" };
  const down = sort.startsWith("-");
  if (isByOwner(sort)) return { keys: ownerKeys, down };
  return { keys: [sortKeys[sort.replace("-", "") as keyof typeof sortKeys]], down };
}

const isByOwner = (sort: LeadSort): boolean => sort === "owner" || sort === "-owner";

const columnsOf = ({ sort }: LeadPage) => [
  ...new Set([...leadColumns, "position", ...orderOf(sort).keys.map(([column]) => column)]),
];
const pageColumns = (page: LeadPage) => sql.raw(columnsOf(page).join(", "));

/** Only for the rows shown, because a search walks past thousands more. */
function withDetails<Row = PageRow>(page: LeadPage, rows: RawBuilder<unknown>): RawBuilder<Row> {
  const columns = orderOf(page.sort).keys.map(([column]) => `page.${column}`);
  const key = columns.length > 1 ? `json_build_array(${columns.join(", ")})` : (columns[0] ?? "null");
  return sql<Row>`
    select page.*, ${onDoNotCall("page", page.organisationId)} as do_not_call,
      owner.first_name || ' ' || owner.last_name as member_name,
      follower.first_name || ' ' || follower.last_name as follow_up_name,
      ${sql.raw(key)}::text as sort_key
    from (${rows}) as page
    left join users as owner on owner.id = page.owner_id
    left join users as follower on follower.id = page.follow_up_user_id
    order by ${order(page, "page.")}`;
}

/** Where the next page starts. */
export const cursorAt = (row: PageRow): LeadCursor => ({ position: row.position, key: row.sort_key });

function order({ sort }: LeadPage, table = ""): RawBuilder<unknown> {
  const { keys, down } = orderOf(sort);
  return sql.raw(
    [...keys.map(([column]) => column), "position"].map((by) => table + by + (down ? " desc" : "")).join(", "),
  );
}

/** Rows on the next page. */
function follows({ sort }: LeadPage, { key: given, position }: LeadCursor): RawBuilder<unknown> {
  const { keys, down } = orderOf(sort);
  const columns = sql.raw([...keys.map(([column]) => column), "position"].join(", "));
  const values = keys.map(([, type], index) =>
    keys.length > 1 ? ownerKeyAt(given, index) : sql`${given}::${sql.raw(type)}`,
  );
  return sql`(${columns}) ${sql.raw(down ? "<" : ">")} (${sql.join([...values, sql`${position}::bigint`])})`;
}

const ownerKeyAt = (key: string | null, index: number) => sql`(${key}::json ->> ${sql.lit(index)})`;

/** All conditions but the search, which no index can serve below row-level security. */
function conditions(page: LeadPage): RawBuilder<unknown> {
  const { phone, after } = page;
  const all = [sql`organisation_id = ${page.organisationId}`, ...meetConditions(page.conditions, page.times)];
  if (phone !== undefined)
    all.push("number" in phone ? sql`phone_number = ${phone.number}` : sql`phone = ${phone.written}`);
  if (after !== undefined) all.push(follows(page, after));
  return sql.join(all, sql` and `);
}

/** The owners that leads have, found in the index one after another, with the name to sort by. */
const owners = ({ organisationId }: LeadPage) => sql`(
  with recursive present (owner_group) as (
    (select owner_group from leads where organisation_id = ${organisationId} order by owner_group limit 1)
    union all
    select (
      select next.owner_group from leads as next
      where next.organisation_id = ${organisationId} and next.owner_group > present.owner_group
      order by next.owner_group limit 1)
    from present where owner_group is not null
  )
  select present.owner_group as owner_of, lower(left(case when member_id is null then owner_group
    else coalesce(users.first_name || ' ' || users.last_name, ${formerMember}) end, 80)) as sort_owner
  from present
  cross join lateral (
    select case when owner_group ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then owner_group::uuid end as member_id
  ) as named
  left join users on users.id = member_id
  where owner_group is not null
)`;

interface Walk {
  most: number;
  patterns: readonly string[];
}

/** The next `most` leads in order that match the patterns. */
function walk(page: LeadPage, columns: RawBuilder<unknown>, { most, patterns }: Walk): RawBuilder<unknown> {
  if (isByOwner(page.sort)) return walkOwners(page, columns, { most, patterns });
  return sql`
    select ${columns} from leads
    where ${conditions(page)} and ${holdsAll(patterns)} order by ${order(page)} limit ${most}`;
}

/** Takes no more than `most` leads from each owner, in the index's order, so that those of an owner with many aren't sorted. */
function walkOwners(page: LeadPage, columns: RawBuilder<unknown>, { most, patterns }: Walk): RawBuilder<unknown> {
  const { after } = page;
  const { down } = orderOf(page.sort);
  const [sign, direction] = [sql.raw(down ? "<" : ">"), sql.raw(down ? "desc" : "asc")];
  const reached = after && sql`(${ownerKeyAt(after.key, 0)}, ${ownerKeyAt(after.key, 1)})`;
  const beyond =
    reached === undefined
      ? sql`true`
      : sql`position ${sign} case when (sort_owner, owner_of) = ${reached}
          then ${after?.position}::bigint else ${sql.raw(down ? "9223372036854775807" : "0")} end`;
  return sql`
    select ${columns} from (
      select * from ${owners(page)} as present
      where ${reached === undefined ? sql`true` : sql`(sort_owner, owner_of) ${sign}= ${reached}`}
      order by sort_owner ${direction}, owner_of ${direction}
    ) as owners cross join lateral (
      select * from leads
      where owner_group = owner_of and ${conditions({ ...page, after: undefined })} and ${beyond} and ${holdsAll(patterns)}
      order by position ${direction} limit ${most}
    ) as leads
    order by ${order(page)} limit ${most}`;
}

const holdsAll = (patterns: readonly string[]): RawBuilder<unknown> =>
  patterns.length === 0 ? sql`true` : sql`search like all (${patterns}::text[])`;

/** The page, read in the order of the sort's index. */
export async function selectLeadPage(tx: Tx, page: LeadPage): Promise<PageRow[]> {
  const walked = walk(page, pageColumns(page), { most: page.limit, patterns: page.patterns });
  const { rows } = await withDetails(page, walked).execute(tx);
  return rows;
}

/** Matches among the next `most` leads in order. A limit stops the walk. */
const heldAmongNext = (page: LeadPage, most: number): RawBuilder<unknown> => sql`
  select ${pageColumns(page)} from (${walk(page, sql`${pageColumns(page)}, search`, { most, patterns: [] })}) as next
  where ${holdsAll(page.patterns)}`;

/**
 * In one round trip: the page from the next `most` leads or, if fewer than `enough` of them match and more follow,
 * from the trigram index. `isWhole` if the page is full or nothing can follow it.
 */
export async function selectNearOrFoundLeadPage(tx: Tx, page: LeadPage, within: { most: number; enough: number }) {
  const nothing = sql.join(columnsOf(page).map(() => sql`null`));
  const enough = Math.min(within.enough, page.limit);
  // Planning again for each term takes a millisecond and gives the same plan: the query fixes the walk and the index.
  const plannedOnce = sql`set local plan_cache_mode = force_generic_plan`.execute(tx);
  const nearOrFound = sql`
    with near as materialized (${heldAmongNext(page, within.most)} limit ${page.limit}),
    followed as materialized (
      select from (${walk(page, sql`position`, { most: within.most, patterns: [] })}) as next offset ${within.most}::bigint - 1 limit 1
    ),
    rare as materialized (select count(*) < ${enough} and exists (select from followed) as is_rare from near)
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
  ${isByOwner(page.sort) ? sql`join ${owners(page)} as owners on owner_of = owner_group` : sql``}
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
