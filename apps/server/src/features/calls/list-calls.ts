import type { Call, listCalls as endpoint } from "@leadline/contract/calls";
import type { HandlerInput } from "@leadline/contract/endpoint";
import { shortestSearch } from "@leadline/contract/leads";
import { parsePhoneNumberFromString } from "libphonenumber-js/max";
import type { Tx } from "../../db/transaction.ts";
import type { Member } from "../../http/route.ts";
import { findNumbersOfLeads } from "../leads/find-numbers-of-leads.ts";
import { toCall, type CallDeps } from "./call-deps.ts";
import { type CallFilter, selectCallPage } from "./call-log.table.ts";

interface ListCalls {
  caller: Member;
  query: HandlerInput<typeof endpoint>["query"];
}

/** The organisation's calls, newest first. `next` is the query of the page that follows, where there may be one. */
export async function listCalls(
  deps: CallDeps,
  { caller, query }: ListCalls,
): Promise<{ calls: Call[]; next: string | null }> {
  const organisationId = caller.organisation.id;
  const { limit, before, phoneNumber, search, ...rest } = query;
  const scope = { organisationId, userId: caller.userId };
  const stored = await deps.database.withTransaction(scope, async (tx) => {
    const filter = { ...rest, number: numberFilter(phoneNumber), ...(await searchFilter(tx, organisationId, search)) };
    return selectCallPage(tx, { organisationId, limit, before, filter });
  });
  const last = stored.at(-1);
  return {
    calls: stored.map((call) => toCall(deps.carriers, call)),
    next: last && stored.length === limit ? nextQuery(query, last.callSid) : null,
  };
}

/** A whole number is found by its index; digits, less a trunk prefix's zeros, wherever they stand. */
function numberFilter(typed: string | undefined): CallFilter["number"] {
  if (typed === undefined) return undefined;
  const whole = typed.startsWith("+") ? parsePhoneNumberFromString(typed) : undefined;
  if (whole?.isValid()) return { whole: whole.number };
  const part = typed.replaceAll(/\D/g, "").replace(/^0+(?=\d)/, "");
  return part === "" ? undefined : { part };
}

/** Digits are those of the number; anything else is about the lead who has it. */
async function searchFilter(
  tx: Tx,
  organisationId: string,
  typed: string | undefined,
): Promise<Pick<CallFilter, "number" | "person">> {
  if (typed === undefined || typed.length < shortestSearch) return {};
  if (/^[\d\s()+./*#-]+$/.test(typed)) return { number: numberFilter(typed) };
  const found = await findNumbersOfLeads(tx, { organisationId, typed });
  if (found === null) return {};
  return { person: found.numbers === null ? { patterns: found.patterns } : { numbers: found.numbers } };
}

function nextQuery(query: ListCalls["query"], before: string): string {
  const next = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...query, before }))
    if (value !== undefined) next.set(name, String(value));
  return next.toString();
}
