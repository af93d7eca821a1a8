import type { Tx } from "../../../db/transaction.ts";
import { selectKnownNumbers, selectKnownWithoutNumber } from "./insert-leads.table.ts";

export interface LeadIdentity {
  firstName: string;
  lastName: string;
  email: string;
  phone: string;
  /** E.164. Null if the phone as written isn't a number. */
  phoneNumber: string | null;
}

/**
 * What identifies a lead for an import: its number or, without one, its name, email and phone as written together. “ask
 * reception” as a phone is shared by many.
 */
export const identityOf = ({ phoneNumber, phone, email, firstName, lastName }: LeadIdentity): string =>
  phoneNumber ?? JSON.stringify([phone, email, firstName, lastName]);

/** The identities that already have a lead in the organisation, each with its oldest lead. */
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
