import type { LeadInput } from "@leadline/contract/leads";
import type { z } from "zod";
import type { Tx } from "../../../db/transaction.ts";
import { defaultCountryOf } from "../../organisations/default-country.ts";
import { insertLeadRows } from "./insert-leads.table.ts";
import { identityOf, knownIdentities } from "./known-leads.ts";
import { toPhoneNumbers } from "../numbers/to-phone-number.ts";

interface InsertLeads {
  organisationId: string;
  leads: readonly z.output<typeof LeadInput>[];
  /** Skips duplicates: rows equal to a lead or an earlier row (known-leads.ts defines how). */
  skipKnownNumbers: boolean;
}

export interface DuplicateLead {
  /** Index among the given leads, from 0. */
  index: number;
  byNumber: boolean;
  /** The match: an existing lead, or an earlier row. */
  of: { leadId: string } | { index: number };
}

/** Adds up to a few thousand leads at a time. */
export async function insertLeads(
  tx: Tx,
  { organisationId, leads, skipKnownNumbers }: InsertLeads,
): Promise<{ created: number; duplicates: DuplicateLead[] }> {
  const numbers = await toPhoneNumbers(
    leads.map((lead) => lead.phone),
    await defaultCountryOf(tx, organisationId),
  );
  const given = leads.map((lead, index) => {
    const { company = "", jobTitle = "", status = "New", nextStep = "" } = lead;
    const { firstName, lastName, email, phone, followUpOn = null } = lead;
    const who = { firstName, lastName, email, phone };
    return { ...who, phoneNumber: numbers[index] ?? null, company, jobTitle, status, nextStep, followUpOn };
  });
  const known = await knownIdentities(tx, organisationId, given);
  const firsts = new Map<string, DuplicateLead["of"]>([...known].map(([identity, leadId]) => [identity, { leadId }]));
  const duplicates: DuplicateLead[] = [];
  const rows = given.filter((lead, index) => {
    const identity = identityOf(lead);
    const of = firsts.get(identity);
    if (of === undefined) firsts.set(identity, { index });
    else duplicates.push({ index, byNumber: lead.phoneNumber !== null, of });
    return of === undefined || !skipKnownNumbers;
  });
  return { created: await insertLeadRows(tx, organisationId, rows), duplicates };
}
