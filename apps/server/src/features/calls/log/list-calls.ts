import type { Call, listCalls as endpoint } from "@leadline/contract/calls";
import type { HandlerInput } from "@leadline/contract/endpoint";
import { isSearch } from "@leadline/contract/leads";
import { parsePhoneNumberFromString } from "libphonenumber-js/max";
import type { Tx } from "../../../db/transaction.ts";
import type { Member } from "../../../http/route.ts";
import { findLeadsAbout } from "../../leads/list/find-leads-about.ts";
import { wordPatterns } from "../../leads/list/search-patterns.ts";
import { toCall, type CallDeps } from "../call-deps.ts";
import {
  type CallFilter,
  type CallPage,
  type CallSearch,
  findCallIds,
  findNearCallIds,
  selectCallPage,
} from "./call-log.table.ts";
import type { StoredCall } from "../calls.table.ts";

/** How many recent calls are scanned before an index is used. */
const firstLook = 2_000;
/** This many calls can be looked up by id in a few milliseconds. */
const maxCalls = 5_000;

interface ListCalls {
  caller: Member;
  query: HandlerInput<typeof endpoint>["query"];
}

/** The organisation's calls, newest first. `next` is the query of the next page, or null on the last one. */
export async function listCalls(
  deps: CallDeps,
  { caller, query }: ListCalls,
): Promise<{ calls: Call[]; next: string | null }> {
  const organisationId = caller.organisation.id;
  const { limit, before, phoneNumber, search, idempotencyKey, missed, toSort, ...rest } = query;
  const { userId } = caller;
  const scope = { organisationId, userId };
  const startedBy = idempotencyKey === undefined ? undefined : { userId, idempotencyKey };
  // These filters read an index: newest, live, by idempotency key. Any other filter may scan.
  const walks = { ...rest, live: undefined, search, phoneNumber, missed, toSort };
  const isQuick = Object.values(walks).every((filter) => filter === undefined);
  const inTransaction = isQuick ? deps.database.readAtOnce : deps.database.readInTransaction;
  const stored = await inTransaction(scope, async (tx) => {
    const about = await searchFilter(tx, organisationId, search);
    const isToSort = toSort === "true";
    const number = numberFilter(phoneNumber);
    const filter = { ...rest, isToSort, missedBy: missed && userId, startedBy, number, ...about };
    return findCallPage(tx, { organisationId, limit, before, filter });
  });
  const last = stored.at(-1);
  return {
    calls: stored.map((call) => toCall(deps.carriers, call)),
    next: last && stored.length === limit ? nextQuery(query, last.callSid) : null,
  };
}

/** Common matches fill the page by scanning from the newest call. Rare matches are found by the index. */
async function findCallPage(tx: Tx, page: CallPage): Promise<StoredCall[]> {
  const { about } = page.filter;
  if (!about || "ids" in about.own) return selectCallPage(tx, page);
  const searching = (changed: CallSearch) =>
    selectCallPage(tx, { ...page, filter: { ...page.filter, about: changed } });
  const near = await findNearCallIds(tx, page, about, firstLook);
  if (near.isWhole || near.ids.length >= page.limit) {
    const found = await searching({ own: { ids: near.ids }, leads: null });
    if (near.isWhole || found.length === page.limit) return found;
  }
  const ids = await findCallIds(tx, about.own, maxCalls);
  return ids ? searching({ ...about, own: { ids } }) : selectCallPage(tx, page);
}

/** A whole number uses its index. Other digits match anywhere, without leading trunk zeros. */
function numberFilter(typed: string | undefined): CallFilter["number"] {
  if (typed === undefined) return undefined;
  const whole = typed.startsWith("+") ? parsePhoneNumberFromString(typed) : undefined;
  if (whole?.isValid()) return { whole: whole.number };
  const part = typed.replaceAll(/\D/g, "").replace(/^0+(?=\d)/, "");
  return part === "" ? undefined : { part };
}

/** A whole number finds its calls. Digits and words are searched in numbers, notes and leads. */
async function searchFilter(
  tx: Tx,
  organisationId: string,
  typed: string | undefined,
): Promise<Pick<CallFilter, "number" | "about">> {
  if (typed === undefined || !isSearch(typed)) return {};
  const number = /^[\d\s()+./-]+$/.test(typed) ? numberFilter(typed) : undefined;
  if (number && "whole" in number) return { number };
  const own = { digits: number?.part ?? null, notePatterns: wordPatterns(typed) };
  const found = number ? null : await findLeadsAbout(tx, { organisationId, typed });
  return { about: { own, leads: found && (found.leads ?? { patterns: found.patterns }) } };
}

function nextQuery(query: ListCalls["query"], before: string): string {
  const next = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...query, before }))
    if (value !== undefined) next.set(name, String(value));
  return next.toString();
}
