import type { LeadInput } from "@leadline/contract/leads";
import type { z } from "zod";
import type { Tx } from "../../db/transaction.ts";
import { defaultCountryOf } from "../organisations/default-country.ts";
import { insertLeadRows } from "./insert-leads.table.ts";
import { identityOf, knownIdentities } from "./known-leads.ts";
import { toPhoneNumbers } from "./to-phone-number.ts";

interface InsertLeads {
  organisationId: string;
  leads: readonly z.output<typeof LeadInput>[];
  /** Leaves out whom another lead equals, there or here: known-leads.ts says by what. */
  skipKnownNumbers: boolean;
}

/** Adds up to a few thousand leads at a time. */
export async function insertLeads(
  tx: Tx,
  { organisationId, leads, skipKnownNumbers }: InsertLeads,
): Promise<{ created: number; skipped: number }> {
  const numbers = await toPhoneNumbers(
    leads.map((lead) => lead.phone),
    await defaultCountryOf(tx, organisationId),
  );
  const given = leads.map((lead, index) => {
    const { firstName, lastName, email, phone, status = "New", followUpOn = null } = lead;
    return { firstName, lastName, email, phone, phoneNumber: numbers[index] ?? null, status, followUpOn };
  });
  const known = skipKnownNumbers ? await knownIdentities(tx, organisationId, given) : null;
  const rows = given.filter((lead) => {
    const identity = identityOf(lead);
    if (known?.has(identity)) return false;
    known?.add(identity);
    return true;
  });
  const created = await insertLeadRows(tx, organisationId, rows);
  return { created, skipped: leads.length - rows.length };
}
