import type { CallerIdReason } from "@leadline/contract/caller-ids";
import { areaCodeOf } from "./area-code-of.ts";

/** A number that the organisation owns or has verified, and that the carrier of the call can show. */
export interface CallerIdCandidate {
  number: string;
  label: string | null;
  /** The organisation's choice for this carrier; one candidate at most. */
  isDefault: boolean;
}

export interface CallerIdRule {
  /** E.164 of the callee; null while it isn't known. */
  to: string | null;
  candidates: readonly CallerIdCandidate[];
  /** The caller ID chosen for this call only. */
  chosen: string | null;
  localPresence: boolean;
  memberDefault: string | null;
}

/**
 * The rule of precedence: the number chosen for the call, then one with the callee's area code if the organisation wants that, then
 * the member's default, then the organisation's, then whatever the provider shows. A number that isn't a candidate is passed over.
 */
export function chooseCallerId(rule: CallerIdRule): { number: string | null; reason: CallerIdReason } {
  const { to, candidates, chosen, localPresence, memberDefault } = rule;
  const isCandidate = (number: string | null) => number !== null && candidates.some((each) => each.number === number);
  if (isCandidate(chosen)) return { number: chosen, reason: "chosen" };
  const defaultNumber = candidates.find(({ isDefault }) => isDefault)?.number ?? null;
  const area = localPresence && to !== null ? areaCodeOf(to) : null;
  if (area !== null) {
    const local = candidates.map(({ number }) => number).filter((number) => areaCodeOf(number) === area);
    const best = [memberDefault, defaultNumber].find((each) => each !== null && local.includes(each)) ?? local[0];
    if (best !== undefined) return { number: best, reason: "local-presence" };
  }
  if (isCandidate(memberDefault)) return { number: memberDefault, reason: "member-default" };
  return defaultNumber === null
    ? { number: null, reason: "provider" }
    : { number: defaultNumber, reason: "organisation-default" };
}
