import { leadName } from "./lead-name.ts";
import type { Call } from "@leadline/contract/calls";

/** Whose number it is, in one line; null where it is nobody's. Several may share a number. */
export function leadNames(leads: Call["leads"]): string | null {
  const [first, ...others] = leads;
  if (!first) return null;
  const name = leadName(first);
  return others.length === 0 ? name : `${name} + ${others.length}`;
}
