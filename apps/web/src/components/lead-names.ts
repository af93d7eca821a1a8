import { mostCallLeads } from "@leadline/contract/call-lead";
import type { Call } from "@leadline/contract/calls";
import { leadName } from "./lead-name.ts";

/** With whom a call was, where it is known; null where its number is nobody's, or several leads' of whom none was meant. */
export function leadOfCall(leads: Call["leads"]): string | null {
  const [only, ...others] = leads;
  return only && others.length === 0 ? leadName(only) : null;
}

/** "3 leads have", for who shares a number. */
export const leadsInWords = (count: number): string =>
  count < mostCallLeads ? `${count} leads have` : `${mostCallLeads} leads or more have`;
