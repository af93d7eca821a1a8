import type { LeadInput } from "@leadline/contract/leads";
import type { z } from "zod";
import type { Tx } from "../../db/transaction.ts";
import { defaultCountryOf } from "../organisations/default-country.ts";
import { insertLeadRows, selectKnownNumbers } from "./insert-leads.table.ts";
import { toPhoneNumbers } from "./to-phone-number.ts";

interface InsertLeads {
  organisationId: string;
  leads: readonly z.output<typeof LeadInput>[];
  /** Leaves out who has the number of another lead, there or here. */
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
  const known = skipKnownNumbers
    ? await selectKnownNumbers(
        tx,
        organisationId,
        numbers.filter((number) => number !== null),
      )
    : null;
  const rows = leads.flatMap((lead, index) => {
    const phoneNumber = numbers[index] ?? null;
    if (known !== null && phoneNumber !== null) {
      if (known.has(phoneNumber)) return [];
      known.add(phoneNumber);
    }
    const { firstName, lastName, email, phone, status = "New", followUpOn = null } = lead;
    return [{ firstName, lastName, email, phone, phoneNumber, status, followUpOn }];
  });
  const created = await insertLeadRows(tx, organisationId, rows);
  return { created, skipped: leads.length - rows.length };
}
