import {
  answerRtpDescription,
  readRtpDescription,
  writeRtpDescription,
} from "@leadline/adapter-kit/rtp/rtp-description";

import { LegGone } from "./media-plane.ts";
import type { RememberedLegs } from "./rtpengine/legs.ts";
import type { RtpenginePlane, Session, StandIns } from "./rtpengine/sessions.ts";
import type { WeriftMediaPlane } from "./werift-media-plane.ts";

/** Legs of this process. */
interface Met {
  /** Carrier legs that those of a session of the pool's meet. */
  guests: Set<string>;
  /** Legs of this process that speak and hear for the session's own. */
  browserStandIn: string | null;
  carrierStandIn: { legId: string; offer: string } | null;
}

/** A session of the pool's whose legs meet others in this process. */
interface Meeting extends Met {
  session: Session;
  brought: Promise<void> | null;
}

const nobodyMet = (): Met => ({ guests: new Set(), browserStandIn: null, carrierStandIn: null });

/**
 * Legs of the pool's that are to meet others than each other: their node hands their sound to legs of this process, which are
 * bridged, joined, held and muted in their place, until the last call that is met there has ended: a browser that has heard one
 * stream after another does not hear the first again (Chromium).
 */
export function createStandIns(inProcess: WeriftMediaPlane, pooled: RtpenginePlane) {
  const meetings = new Map<string, Meeting>();
  const meetingOf = (legId: string): Meeting | undefined => meetings.get(pooled.sessionOf(legId)?.id ?? "");

  function host(legId: string): Meeting {
    const session = pooled.sessionOf(legId);
    if (!session) throw new LegGone("This leg is closed.");
    const known = meetings.get(session.id);
    if (known) return known;
    const meeting = { ...nobodyMet(), session, brought: null };
    meetings.set(session.id, meeting);
    return meeting;
  }

  const standInsOf = (meeting: Met): StandIns => ({
    async near(offer) {
      const { browserStandIn } = meeting;
      if (browserStandIn !== null) return (await inProcess.restartBrowserLeg(browserStandIn, offer)).answer;
      const { legId, answer } = await inProcess.openPlainBrowserLeg(offer, beside(meeting));
      meeting.browserStandIn = legId;
      return answer;
    },
    async far(theirs, { held, muted, telephoneEventType }) {
      meeting.carrierStandIn ??= await inProcess.openCarrierLeg({ telephoneEventType, ...beside(meeting) });
      const { legId, offer } = meeting.carrierStandIn;
      await inProcess.setHeld(legId, held);
      await inProcess.setMuted(legId, muted);
      await inProcess.acceptCarrierAnswer(legId, theirs);
      return answerWith(offer, theirs);
    },
  });

  async function end(meeting: Meeting): Promise<void> {
    const { session, brought } = meeting;
    if (meetings.get(session.id) === meeting) meetings.delete(session.id);
    if (!brought) return;
    await brought.catch(() => {});
    // What the pool has lost meanwhile is over.
    await session.dismissStandIns().catch(() => {});
    await closeStandIns(meeting);
  }

  async function closeStandIns({ browserStandIn, carrierStandIn }: Met): Promise<void> {
    for (const legId of [browserStandIn, carrierStandIn?.legId]) if (legId != null) await inProcess.close(legId);
  }

  const meetingOfGuest = (guest: string): Meeting | undefined =>
    [...meetings.values()].find(({ guests }) => guests.has(guest));

  /** Another session's, whose browser alone these still meet: they can leave it for this one's. */
  const formerMeetingOf = (guests: readonly string[], session: Session): Meeting | undefined =>
    [...meetings.values()].find(
      (meeting) =>
        meeting.session.id !== session.id &&
        meeting.session.carrierLegId() === null &&
        guests.some((guest) => meeting.guests.has(guest)),
    );

  /** Null where none stands in for it, or it is no leg of the pool's. */
  async function find(legId: string): Promise<string | null> {
    const meeting = meetingOf(legId);
    if (!meeting?.brought) return null;
    await meeting.brought.catch(() => {});
    return legId === meeting.session.carrierLegId() ? (meeting.carrierStandIn?.legId ?? null) : meeting.browserStandIn;
  }

  /** A leg that all others of the meeting are to meet. */
  function beside(meeting: Met | undefined): { besideLegId?: string } {
    const [guest] = meeting?.guests ?? [];
    const besideLegId = meeting?.browserStandIn ?? meeting?.carrierStandIn?.legId ?? guest;
    return besideLegId === undefined ? {} : { besideLegId };
  }

  return {
    find,
    /** Where a guest is opened to meet this browser. */
    placeFor: (browserLegId: string): { besideLegId?: string } => beside(meetingOf(browserLegId)),
    /** Whether another carrier leg of this browser's cannot be its session's own. */
    areNeeded(browserLegId: string): boolean {
      const session = pooled.sessionOf(browserLegId);
      return session !== null && (meetings.has(session.id) || session.carrierLegId() !== null);
    },
    invite: (browserLegId: string, guest: string): void => void host(browserLegId).guests.add(guest),
    /** The session of the pool's whose legs it meets. */
    sessionOfGuest: (guest: string): Session | null => meetingOfGuest(guest)?.session ?? null,
    /** A session of a process that has ended; its stand-ins, where it had some, are others from now on. Rejects as the pool does. */
    async takeUp(remembered: RememberedLegs): Promise<Session> {
      const met = nobodyMet();
      const session = await pooled.takeUp(remembered, standInsOf(met)).catch(async (error: unknown) => {
        await closeStandIns(met);
        throw error;
      });
      if (session.hasStandIns()) meetings.set(session.id, Object.assign(met, { session, brought: Promise.resolve() }));
      return session;
    },
    /**
     * The same legs, each of the pool's by its stand-in. Rejects with LegGone where those are of two sessions, or of one that has
     * nothing to do with the others.
     */
    async bring(legIds: readonly string[], { guests }: { guests: readonly string[] }): Promise<string[]> {
      const [legId = "", ...others] = legIds.filter((each) => pooled.sessionOf(each) !== null);
      const session = pooled.sessionOf(legId);
      const former = session && formerMeetingOf(guests, session);
      const isRelated =
        session && (former || meetings.has(session.id) || (guests.length > 0 && session.carrierLegId() !== null));
      if (!isRelated || others.some((each) => pooled.sessionOf(each)?.id !== session.id))
        throw new LegGone("These legs are on two media planes.");
      const meeting = host(legId);
      for (const guest of [...guests, ...(former?.guests ?? [])]) meeting.guests.add(guest);
      former?.guests.clear();
      meeting.brought ??= meeting.session.bringStandIns(standInsOf(meeting));
      await meeting.brought.catch(async (error: unknown) => {
        await end(meeting);
        throw error;
      });
      if (former) await end(former);
      return Promise.all(legIds.map(async (each) => (await find(each)) ?? each));
    },
    /** Closes a leg, and what stands in for it. */
    async close(legId: string, close: () => Promise<void>): Promise<void> {
      const meeting = meetingOf(legId) ?? meetingOfGuest(legId);
      const standIn = meeting?.session.carrierLegId() === legId ? meeting.carrierStandIn : null;
      if (meeting && standIn) meeting.carrierStandIn = null;
      if (standIn) await inProcess.close(standIn.legId);
      await close();
      meeting?.guests.delete(legId);
      if (meeting && meeting.guests.size === 0 && meeting.session.carrierLegId() === null) await end(meeting);
    },
  };
}

/** Our side of the line that they offered. */
function answerWith(ours: string, theirs: string): string {
  const [description, offered] = [readRtpDescription(ours), readRtpDescription(theirs)];
  if (!description || !offered) throw new Error("The rtpengine described no sound.");
  return writeRtpDescription(answerRtpDescription(offered, description));
}
