import { foldText } from "@leadline/contract/fold-text";
import type { Lead } from "@leadline/contract/leads";

/** A lead with a number to call. */
export type Contact = Lead & { phoneNumber: string };

/** Why a lead matches the typed text, the likeliest first. */
const reasons = ["name-begins", "name", "phone", "email"] as const;
type MatchReason = (typeof reasons)[number];

export interface RankedContact {
  contact: Contact;
  reason: MatchReason;
}

const canBeCalled = (lead: Lead): lead is Contact => lead.phoneNumber !== null;

/** Ranks by name, then by number, then by email, so that Enter doesn't pick a stranger on the same email domain. */
export function rankContacts(leads: readonly Lead[], typed: string): RankedContact[] {
  const words = foldText(typed).split(/\s+/).filter(Boolean);
  const ranked = leads.filter(canBeCalled).map((contact) => ({ contact, reason: reasonOf(contact, words) }));
  return ranked.toSorted((a, b) => reasons.indexOf(a.reason) - reasons.indexOf(b.reason));
}

function reasonOf({ firstName, lastName, phone, phoneNumber }: Contact, words: readonly string[]): MatchReason {
  const name = foldText(`${firstName} ${lastName}`);
  if (words.every((word) => ` ${name}`.includes(` ${word}`))) return "name-begins";
  if (words.every((word) => name.includes(word))) return "name";
  const digits = words.join("").replaceAll(/\D/g, "");
  const isNumber = !/\p{L}/u.test(words.join(""));
  if (isNumber && (phoneNumber.includes(digits) || phone.replaceAll(/\D/g, "").includes(digits))) return "phone";
  return "email";
}
