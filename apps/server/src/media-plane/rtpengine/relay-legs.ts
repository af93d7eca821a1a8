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
  /** Carrier legs of this process that share a room with the session's legs. */
  guests: Set<string>;
  /** Relay legs of this process for the session's own legs. */
  browserRelay: string | null;
  carrierRelay: { legId: string; offer: string } | null;
}

/** A session of the pool whose legs share a room with legs of this process. */
interface Meeting extends Met {
  session: Session;
  brought: Promise<void> | null;
}

const emptyMeeting = (): Met => ({ guests: new Set(), browserRelay: null, carrierRelay: null });

/**
 * Relay legs for rooms that an rtpengine can't bring about: it sends the audio of its legs to relay legs of this
 * process, which take their place in the room until the last call there has ended. They stay that long because a
 * browser that has switched from one stream to another doesn't play the first one again (Chromium).
 */
export function createRelayLegs(mixer: WeriftMediaPlane, pooled: RtpenginePlane) {
  const meetings = new Map<string, Meeting>();
  const meetingOf = (legId: string): Meeting | undefined => meetings.get(pooled.sessionOf(legId)?.id ?? "");

  function host(legId: string): Meeting {
    const session = pooled.sessionOf(legId);
    if (!session) throw new LegGone("This leg is closed.");
    const known = meetings.get(session.id);
    if (known) return known;
    const meeting = { ...emptyMeeting(), session, brought: null };
    meetings.set(session.id, meeting);
    return meeting;
  }

  async function end(meeting: Meeting): Promise<void> {
    const { session, brought } = meeting;
    if (meetings.get(session.id) === meeting) meetings.delete(session.id);
    if (!brought) return;
    await brought.catch(() => {});
    // If the pool has lost the session meanwhile, it is over.
    await session.dismissRelays().catch(() => {});
    await closeRelays(mixer, meeting);
  }

  const meetingOfGuest = (guest: string): Meeting | undefined =>
    [...meetings.values()].find(({ guests }) => guests.has(guest));

  /** Another session, whose browser is all that these legs still share a room with: they can leave it for this one. */
  const formerMeetingOf = (guests: readonly string[], session: Session): Meeting | undefined =>
    [...meetings.values()].find(
      (meeting) =>
        meeting.session.id !== session.id &&
        meeting.session.carrierLegId() === null &&
        guests.some((guest) => meeting.guests.has(guest)),
    );

  /** Null if it has none, or is not a leg of the pool. */
  async function find(legId: string): Promise<string | null> {
    const meeting = meetingOf(legId);
    if (!meeting?.brought) return null;
    await meeting.brought.catch(() => {});
    return legId === meeting.session.carrierLegId() ? (meeting.carrierRelay?.legId ?? null) : meeting.browserRelay;
  }

  return {
    find,
    /** Where to open a guest so that it can share a room with this browser. */
    placeFor: (browserLegId: string): { besideLegId?: string } => nextToMeeting(meetingOf(browserLegId)),
    /** Whether another carrier leg for this browser can't belong to its own session. */
    areNeeded(browserLegId: string): boolean {
      const session = pooled.sessionOf(browserLegId);
      return session !== null && (meetings.has(session.id) || session.carrierLegId() !== null);
    },
    invite: (browserLegId: string, guest: string): void => void host(browserLegId).guests.add(guest),
    /** The pool's session that this guest shares a room with. */
    sessionOfGuest: (guest: string): Session | null => meetingOfGuest(guest)?.session ?? null,
    /** Restores a session of a dead process, with new relay legs if it had any. Rejects as the pool does. */
    async restore(snapshot: LegsSnapshot): Promise<Session> {
      const met = emptyMeeting();
      const session = await pooled.restore(snapshot, relaysOf(mixer, met)).catch(async (error: unknown) => {
        await closeRelays(mixer, met);
        throw error;
      });
      if (session.hasRelays()) meetings.set(session.id, Object.assign(met, { session, brought: Promise.resolve() }));
      return session;
    },
    /**
     * Opens relay legs for the pool's legs among these. Rejects with LegGone if they belong to two sessions, or to a
     * browser that is unrelated to the others.
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

/** A leg that every new leg of the meeting must be opened next to. */
function nextToMeeting(meeting: Met | undefined): { besideLegId?: string } {
  const [guest] = meeting?.guests ?? [];
  const besideLegId = meeting?.browserRelay ?? meeting?.carrierRelay?.legId ?? guest;
  return besideLegId === undefined ? {} : { besideLegId };
}

const relaysOf = (mixer: WeriftMediaPlane, meeting: Met): Relays => ({
  async near(offer) {
    const { browserRelay } = meeting;
    if (browserRelay !== null) return (await mixer.restartBrowserLeg(browserRelay, offer)).answer;
    const { legId, answer } = await mixer.openRelayLeg(offer, nextToMeeting(meeting));
    meeting.browserRelay = legId;
    return answer;
  },
  async far(theirs, { telephoneEventType }) {
    meeting.carrierRelay ??= await mixer.openCarrierLeg({ telephoneEventType, ...nextToMeeting(meeting) });
    const { legId, offer } = meeting.carrierRelay;
    await mixer.acceptCarrierAnswer(legId, theirs);
    return answerWith(offer, theirs);
  },
});

async function closeRelays(mixer: WeriftMediaPlane, { browserRelay, carrierRelay }: Met): Promise<void> {
  for (const legId of [browserRelay, carrierRelay?.legId]) if (legId != null) await mixer.close(legId);
}

/** Our answer to the line that they offered. */
function answerWith(ours: string, theirs: string): string {
  const [description, offered] = [readRtpDescription(ours), readRtpDescription(theirs)];
  if (!description || !offered) throw new Error("The rtpengine's SDP has no audio.");
  return writeRtpDescription(answerRtpDescription(offered, description));
}
