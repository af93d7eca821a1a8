import type { Call, listCalls as endpoint } from "@leadline/contract/calls";
import type { HandlerInput } from "@leadline/contract/endpoint";
import { isSearch } from "@leadline/contract/leads";
import { parsePhoneNumberFromString } from "libphonenumber-js/max";
import type { Tx } from "../../db/transaction.ts";
import type { Member } from "../../http/route.ts";
import { findLeadsAbout } from "../leads/find-leads-about.ts";
import { wordPatterns } from "../leads/search-patterns.ts";
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
  const inTransaction = search === undefined ? deps.database.readAtOnce : deps.database.withTransaction;
  const stored = await inTransaction(scope, async (tx) => {
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

/** A whole number means its calls; digits and words are looked for in numbers, in notes and in the leads called. */
async function searchFilter(
  tx: Tx,
  organisationId: string,
  typed: string | undefined,
): Promise<Pick<CallFilter, "number" | "about">> {
  if (typed === undefined || !isSearch(typed)) return {};
  const number = /^[\d\s()+./-]+$/.test(typed) ? numberFilter(typed) : undefined;
  if (number && "whole" in number) return { number };
  const found = number ? null : await findLeadsAbout(tx, { organisationId, typed });
  return {
    about: {
      digits: number?.part ?? null,
      notePatterns: wordPatterns(typed),
      leads: found && (found.leads ?? { patterns: found.patterns }),
    },
  };
}

function nextQuery(query: ListCalls["query"], before: string): string {
  const next = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...query, before }))
    if (value !== undefined) next.set(name, String(value));
  return next.toString();
}
