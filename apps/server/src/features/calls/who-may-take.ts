import type { CallDeps } from "./call-deps.ts";

/** Of the organisation's people, who has Leadline open, and who of them is in no call. */
export function whoMayTake(
  { presence }: Pick<CallDeps, "presence">,
  organisationId: string,
): { present: ReadonlySet<string>; free: ReadonlySet<string> } {
  const present = presence.peopleIn(organisationId);
  return { present, free: new Set([...present].filter((userId) => !presence.isInCall(userId))) };
}
