import { z } from "zod";

import type { ResumedLeg } from "./media-plane.ts";
import { RememberedLegs } from "./rtpengine/legs.ts";
import type { Session } from "./rtpengine/sessions.ts";

const RememberedGuest = z.object({
  /** What its far end said last. */
  answer: z.string(),
  beside: RememberedLegs,
});
/** A carrier leg of a session of the pool's, or one of a process that met such a session's legs. */
const RememberedLeg = z
  .union([RememberedGuest, RememberedLegs.transform((beside) => ({ answer: null, beside }))])
  .transform((leg) => ({ ...leg, sessionId: leg.beside.session.callId }));

export type RememberedGuest = z.infer<typeof RememberedGuest>;

interface Ways {
  /** One that is here already. */
  find(sessionId: string): Session | null;
  /** Rejects where it is gone. */
  takeUp(remembered: RememberedLegs): Promise<Session>;
  /** Null: its browser is gone with the session. */
  openGuest(answer: string, session: Session | null): Promise<ResumedLeg>;
  close(legId: string): Promise<void>;
}

/** As MediaPlane.resume says: each session once, then the legs that met it. */
export async function resumeLegs(remembered: readonly unknown[], ways: Ways): Promise<(ResumedLeg | null)[]> {
  const legs = remembered.map((each) => RememberedLeg.parse(each));
  const sessions = new Map<string, Promise<Session | null>>();
  const takenUp: Session[] = [];
  async function takeUp(beside: RememberedLegs): Promise<Session | null> {
    const session = await ways.takeUp(beside).catch(() => null);
    if (session) takenUp.push(session);
    return session;
  }
  // What its own leg has written of a session is newer than what others have.
  const newestFirst = legs.toSorted((one, other) => Number(one.answer !== null) - Number(other.answer !== null));
  for (const { sessionId, beside } of newestFirst)
    if (!sessions.has(sessionId)) sessions.set(sessionId, Promise.resolve(ways.find(sessionId) ?? takeUp(beside)));
  const resumed = await Promise.all(
    legs.map(async ({ answer, sessionId, beside: { carrierLegId } }) => {
      const session = (await sessions.get(sessionId)) ?? null;
      if (answer !== null) return ways.openGuest(answer, session);
      if (carrierLegId === null || session?.carrierLegId() !== carrierLegId) return null;
      return { carrierLegId, browserLegId: session.browserLegId(), offer: null };
    }),
  );
  // Their calls have ended since others wrote of them.
  const goingOn = new Set(resumed.map((leg) => leg?.carrierLegId));
  const own = takenUp.flatMap((session) => session.carrierLegId() ?? []);
  await Promise.all(own.filter((legId) => !goingOn.has(legId)).map((legId) => ways.close(legId)));
  return resumed;
}
