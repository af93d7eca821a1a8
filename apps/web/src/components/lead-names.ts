import { maxCallLeads } from "@leadline/contract/call-lead";
import type { Call } from "@leadline/contract/calls";
import { leadName } from "./lead-name.ts";

/** The lead of a call, if known; null if no lead has its number, or several do and none was chosen. */
export function leadOfCall(leads: Call["leads"]): string | null {
  const [only, ...others] = leads;
  return only && others.length === 0 ? leadName(only) : null;
}

/** "3 leads have", for leads that share a number. */
export const leadsLabel = (count: number): string =>
  count < maxCallLeads ? `${count} leads have` : `${maxCallLeads} leads or more have`;
