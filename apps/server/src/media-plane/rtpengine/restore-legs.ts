import { z } from "zod";

import type { RestoredLeg } from "../media-plane.ts";
import { LegsSnapshot } from "./legs.ts";
import type { Session } from "./sessions.ts";

const LocalLegSnapshot = z.object({
  /** The far end's last description. */
  answer: z.string(),
  beside: LegsSnapshot,
});
/** A carrier leg of a pool session, or a leg of a process that shared a room with one. */
const LegSnapshot = z
  .union([LocalLegSnapshot, LegsSnapshot.transform((beside) => ({ answer: null, beside }))])
  .transform((leg) => ({ ...leg, sessionId: leg.beside.session.callId }));

export type LocalLegSnapshot = z.infer<typeof LocalLegSnapshot>;

interface Actions {
  /** A session that is already restored. */
  find(sessionId: string): Session | null;
  /** Rejects if the session is gone. */
  restore(snapshot: LegsSnapshot): Promise<Session>;
  /** Null: its browser is gone along with the session. */
  openLocalLeg(answer: string, session: Session | null): Promise<RestoredLeg>;
  close(legId: string): Promise<void>;
}

/** As MediaPlane.restore says: restores each session once, then the legs that shared a room with it. */
export async function restoreLegs(snapshots: readonly unknown[], actions: Actions): Promise<(RestoredLeg | null)[]> {
  const legs = snapshots.map((each) => LegSnapshot.parse(each));
  const sessions = new Map<string, Promise<Session | null>>();
  const restoredHere: Session[] = [];
  async function restore(beside: LegsSnapshot): Promise<Session | null> {
    const session = await actions.restore(beside).catch(() => null);
    if (session) restoredHere.push(session);
    return session;
  }
  // A session's snapshot in its own leg is newer than the copies in other legs.
  const newestFirst = legs.toSorted((one, other) => Number(one.answer !== null) - Number(other.answer !== null));
  for (const { sessionId, beside } of newestFirst)
    if (!sessions.has(sessionId)) sessions.set(sessionId, Promise.resolve(actions.find(sessionId) ?? restore(beside)));
  const restored = await Promise.all(
    legs.map(async ({ answer, sessionId, beside: { carrierLegId } }) => {
      const session = (await sessions.get(sessionId)) ?? null;
      if (answer !== null) return actions.openLocalLeg(answer, session);
      if (carrierLegId === null || session?.carrierLegId() !== carrierLegId) return null;
      return { carrierLegId, browserLegId: session.browserLegId(), offer: null };
    }),
  );
  // Calls that have ended since the snapshots were taken.
  const restoredIds = new Set(restored.map((leg) => leg?.carrierLegId));
  const own = restoredHere.flatMap((session) => session.carrierLegId() ?? []);
  await Promise.all(own.filter((legId) => !restoredIds.has(legId)).map((legId) => actions.close(legId)));
  return restored;
}
