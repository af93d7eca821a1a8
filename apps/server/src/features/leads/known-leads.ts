import type { Tx } from "../../db/transaction.ts";
import { selectKnownNumbers, selectKnownWithoutNumber } from "./insert-leads.table.ts";

export interface LeadIdentity {
  firstName: string;
  lastName: string;
  email: string;
  phone: string;
  /** E.164; null where the phone as written is no number. */
  phoneNumber: string | null;
}

/**
 * By what an import knows a lead again: its number, or where it has none, its name, email and phone as written together.
 * “ask reception” alone is the phone of many.
 */
export const identityOf = ({ phoneNumber, phone, email, firstName, lastName }: LeadIdentity): string =>
  phoneNumber ?? JSON.stringify([phone, email, firstName, lastName]);

/** Of those that the organisation has a lead of, their identity and that lead, the oldest where there are several. */
export async function knownIdentities(
  tx: Tx,
  organisationId: string,
  leads: readonly LeadIdentity[],
): Promise<Map<string, string>> {
  const numbers = leads.flatMap(({ phoneNumber }) => phoneNumber ?? []);
  const withoutNumber = leads.filter(({ phoneNumber }) => phoneNumber === null);
  const known = await selectKnownNumbers(tx, organisationId, numbers);
  for (const { index, leadId } of await selectKnownWithoutNumber(tx, organisationId, withoutNumber)) {
    const lead = withoutNumber[index];
    if (lead) known.set(identityOf(lead), leadId);
  }
  return known;
}
