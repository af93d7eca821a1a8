import {
  answerRtpDescription,
  readRtpDescription,
  writeRtpDescription,
} from "@leadline/adapter-kit/rtp/rtp-description";

import { LegGone } from "../media-plane.ts";
import type { LegsSnapshot } from "./legs.ts";
import type { RtpenginePlane, Session, Relays } from "./sessions.ts";
import type { WeriftMediaPlane } from "../werift-media-plane.ts";

/** Legs of this process. */
interface Met {
  /** Carrier legs that those of a session of the pool's meet. */
  guests: Set<string>;
  /** Legs of this process that speak and hear for the session's own. */
  browserRelay: string | null;
  carrierRelay: { legId: string; offer: string } | null;
}

/** A session of the pool's whose legs meet others in this process. */
interface Meeting extends Met {
  session: Session;
  brought: Promise<void> | null;
}

const nobodyMet = (): Met => ({ guests: new Set(), browserRelay: null, carrierRelay: null });

/**
 * Legs of the pool's whose room their node can't bring about: it hands their audio to relay legs of this process, which hear and are
 * heard in their place, until the last call there has ended: a browser that has heard one stream after another does not hear the
 * first again (Chromium).
 */
export function createRelayLegs(mixer: WeriftMediaPlane, pooled: RtpenginePlane) {
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

  async function end(meeting: Meeting): Promise<void> {
    const { session, brought } = meeting;
    if (meetings.get(session.id) === meeting) meetings.delete(session.id);
    if (!brought) return;
    await brought.catch(() => {});
    // What the pool has lost meanwhile is over.
    await session.dismissRelays().catch(() => {});
    await closeRelays(mixer, meeting);
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

  /** Null where it has none, or is no leg of the pool's. */
  async function find(legId: string): Promise<string | null> {
    const meeting = meetingOf(legId);
    if (!meeting?.brought) return null;
    await meeting.brought.catch(() => {});
    return legId === meeting.session.carrierLegId() ? (meeting.carrierRelay?.legId ?? null) : meeting.browserRelay;
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
    /** A session of a process that has ended; its relay legs, where it had some, are others from now on. Rejects as the pool does. */
    async restore(snapshot: LegsSnapshot): Promise<Session> {
      const met = nobodyMet();
      const session = await pooled.restore(snapshot, relaysOf(mixer, met)).catch(async (error: unknown) => {
        await closeRelays(mixer, met);
        throw error;
      });
      if (session.hasRelays()) meetings.set(session.id, Object.assign(met, { session, brought: Promise.resolve() }));
      return session;
    },
    /**
     * The pool's among these have relay legs from now on. Rejects with LegGone where they are of two sessions, or of a browser that
     * has nothing to do with the others.
     */
    async bring(legIds: readonly string[], { guests }: { guests: readonly string[] }): Promise<void> {
      const [legId = "", ...others] = legIds.filter((each) => pooled.sessionOf(each) !== null);
      const session = pooled.sessionOf(legId);
      const former = session && formerMeetingOf(guests, session);
      const isRelated = session && (former || meetings.has(session.id) || session.carrierLegId() !== null);
      if (!isRelated || others.some((each) => pooled.sessionOf(each)?.id !== session.id))
        throw new LegGone("These legs are on two media planes.");
      const meeting = host(legId);
      for (const guest of [...guests, ...(former?.guests ?? [])]) meeting.guests.add(guest);
      former?.guests.clear();
      meeting.brought ??= meeting.session.bringRelays(relaysOf(mixer, meeting));
      await meeting.brought.catch(async (error: unknown) => {
        await end(meeting);
        throw error;
      });
      if (former) await end(former);
    },
    /** Closes a leg, and its relay leg. */
    async close(legId: string, close: () => Promise<void>): Promise<void> {
      const meeting = meetingOf(legId) ?? meetingOfGuest(legId);
      const relay = meeting?.session.carrierLegId() === legId ? meeting.carrierRelay : null;
      if (meeting && relay) meeting.carrierRelay = null;
      if (relay) await mixer.close(relay.legId);
      await close();
      meeting?.guests.delete(legId);
      if (meeting && meeting.guests.size === 0 && meeting.session.carrierLegId() === null) await end(meeting);
    },
  };
}

/** A leg that all others of the meeting are to meet. */
function beside(meeting: Met | undefined): { besideLegId?: string } {
  const [guest] = meeting?.guests ?? [];
  const besideLegId = meeting?.browserRelay ?? meeting?.carrierRelay?.legId ?? guest;
  return besideLegId === undefined ? {} : { besideLegId };
}

const relaysOf = (mixer: WeriftMediaPlane, meeting: Met): Relays => ({
  async near(offer) {
    const { browserRelay } = meeting;
    if (browserRelay !== null) return (await mixer.restartBrowserLeg(browserRelay, offer)).answer;
    const { legId, answer } = await mixer.openRelayLeg(offer, beside(meeting));
    meeting.browserRelay = legId;
    return answer;
  },
  async far(theirs, { telephoneEventType }) {
    meeting.carrierRelay ??= await mixer.openCarrierLeg({ telephoneEventType, ...beside(meeting) });
    const { legId, offer } = meeting.carrierRelay;
    await mixer.acceptCarrierAnswer(legId, theirs);
    return answerWith(offer, theirs);
  },
});

async function closeRelays(mixer: WeriftMediaPlane, { browserRelay, carrierRelay }: Met): Promise<void> {
  for (const legId of [browserRelay, carrierRelay?.legId]) if (legId != null) await mixer.close(legId);
}

/** Our side of the line that they offered. */
function answerWith(ours: string, theirs: string): string {
  const [description, offered] = [readRtpDescription(ours), readRtpDescription(theirs)];
  if (!description || !offered) throw new Error("The rtpengine described no sound.");
  return writeRtpDescription(answerRtpDescription(offered, description));
}
