import type { CallDeps } from "./call-deps.ts";

/** Of the organisation's people, who has Leadline open here, and who of them is in no call. */
export function whoMayTake(
  deps: Pick<CallDeps, "liveCalls" | "peopleIn">,
  organisationId: string,
): { present: ReadonlySet<string>; free: ReadonlySet<string> } {
  const present = deps.peopleIn(organisationId);
  const onLine = deps.liveCalls.all().filter(({ line }) => line !== null);
  const talking = new Set(onLine.map(({ userId }) => userId));
  return { present, free: new Set([...present].filter((userId) => !talking.has(userId))) };
}
