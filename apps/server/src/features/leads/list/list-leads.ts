import type { HandlerInput } from "@leadline/contract/endpoint";
import { type Lead, LeadConditions, type LeadSort, type listLeads as endpoint } from "@leadline/contract/leads";
import { z } from "zod";
import type { Database } from "../../../db/database.ts";
import { invalidInput } from "../../../http/read-input.ts";
import type { Member } from "../../../http/route.ts";
import { defaultCountryOf } from "../../organisations/default-country.ts";
import { conditionsOf } from "./conditions-of.ts";
import { dueTimes } from "./due-times.ts";
import { findLeadPage } from "./find-lead-page.ts";
import { cursorAt, type LeadCursor } from "./lead-pages.table.ts";
import { toLead } from "../leads.table.ts";
import { searchPatterns } from "./search-patterns.ts";
import { toPhoneNumber } from "../numbers/to-phone-number.ts";

/** No shorter phone number is a whole one. */
const fewestDigits = 5;

interface ListLeads {
  caller: Member;
  query: HandlerInput<typeof endpoint>["query"];
}

/** A page of leads. `next` is the query of the next page, if there is one. */
export async function listLeads(
  database: Database,
  { caller, query }: ListLeads,
): Promise<{ leads: Lead[]; next: string | null }> {
  const organisationId = caller.organisation.id;
  const { search = "", sort, limit } = query;
  const conditions = conditionsOf(caller, LeadConditions.parse(query));
  const after = query.after === undefined ? undefined : readCursor(query.after, sort);
  const mayBeNumber = search.replaceAll(/\D/g, "").length >= fewestDigits;
  const needsCountry = mayBeNumber || query.phoneNumber !== undefined;
  const asksMore = search !== "" || needsCountry || conditions.due !== undefined;
  const inTransaction = asksMore ? database.readInTransaction : database.readAtOnce;
  const rows = await inTransaction({ organisationId, userId: caller.userId }, async (tx) => {
    const country = needsCountry ? await defaultCountryOf(tx, organisationId) : "US";
    const patterns = searchPatterns(search, { country, beginning: query.match === "beginning" });
    const number = query.phoneNumber === undefined ? null : toPhoneNumber(query.phoneNumber, country);
    const phone = number !== null ? { number } : query.phoneNumber && { written: query.phoneNumber };
    // One more than requested shows whether there is a next page.
    const times = await dueTimes(tx, organisationId, conditions);
    const place = { organisationId, sort, conditions, times, after, limit: limit + 1 };
    const page = { ...place, phone: phone || undefined, patterns };
    // A whole number has its own index. Only if nobody has it, it is searched for within longer ones.
    const wholeNumber = phone || !mayBeNumber ? null : toPhoneNumber(search, country);
    const exact =
      wholeNumber === null ? [] : await findLeadPage(tx, { ...page, phone: { number: wholeNumber }, patterns: [] });
    return exact.length > 0 ? exact : findLeadPage(tx, page);
  });
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  if (rows.length <= limit || last === undefined) return { leads: shown.map(toLead), next: null };
  const { after: _, ...kept } = query;
  const next = new URLSearchParams(
    Object.entries(kept).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );
  next.set("after", writeCursor(cursorAt(last)));
  return { leads: shown.map(toLead), next: next.toString() };
}

const text = z
  .string()
  .max(200)
  .regex(/^[^\0]*$/);
/** A name, and the owner. */
const OwnerKey = z.tuple([text, text]);
/** The sort key, as text. */
const Keys = {
  newest: z.null(),
  oldest: z.null(),
  name: text,
  company: text,
  jobTitle: text,
  email: text,
  phone: text,
  status: z.string().regex(/^[1-5]$/),
  owner: z.string().transform((given) => JSON.stringify(OwnerKey.parse(JSON.parse(given)))),
  lastCall: z.string().regex(/^(-infinity|\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?\+00)$/),
  nextStep: text,
  followUp: z.string().regex(/^(infinity|\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)$/),
} as const;
const Position = z.int().min(0);

const writeCursor = ({ position, key }: LeadCursor): string =>
  Buffer.from(JSON.stringify([position, key])).toString("base64url");

function readCursor(given: string, sort: LeadSort): LeadCursor {
  try {
    const keyOf = Keys[sort.replace("-", "") as keyof typeof Keys];
    const [position, key] = z.tuple([Position, keyOf]).parse(JSON.parse(Buffer.from(given, "base64url").toString()));
    return { position, key };
  } catch {
    throw invalidInput([{ path: ["after"], message: `This cursor is not for a list sorted by ${sort}.` }]);
  }
}
