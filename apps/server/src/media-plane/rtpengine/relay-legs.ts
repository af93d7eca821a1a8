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
interface RelaySet {
  /** Carrier legs of this process that share the room with the session's legs. */
  localLegs: Set<string>;
  /** Relay legs of this process for the session's own legs. */
  browserRelay: string | null;
  carrierRelay: { legId: string; offer: string } | null;
}

/** A session of the pool whose legs share a room with legs of this process. */
interface RelayedRoom extends RelaySet {
  session: Session;
  opened: Promise<void> | null;
}

const emptyRelaySet = (): RelaySet => ({ localLegs: new Set(), browserRelay: null, carrierRelay: null });

/**
 * Relay legs for rooms that an rtpengine can't bring about: it sends the audio of its legs to relay legs of this
 * process, which take their place in the room until the last call there has ended. They stay that long because a
 * browser that has switched from one stream to another doesn't play the first one again (Chromium).
 */
export function createRelayLegs(mixer: WeriftMediaPlane, pooled: RtpenginePlane) {
  const rooms = new Map<string, RelayedRoom>();
  const relayedRoomOf = (legId: string): RelayedRoom | undefined => rooms.get(pooled.sessionOf(legId)?.id ?? "");

  function roomFor(legId: string): RelayedRoom {
    const session = pooled.sessionOf(legId);
    if (!session) throw new LegGone("This leg is closed.");
    const known = rooms.get(session.id);
    if (known) return known;
    const room = { ...emptyRelaySet(), session, opened: null };
    rooms.set(session.id, room);
    return room;
  }

  async function end(room: RelayedRoom): Promise<void> {
    const { session, opened } = room;
    if (rooms.get(session.id) === room) rooms.delete(session.id);
    if (!opened) return;
    await opened.catch(() => {});
    // If the pool has lost the session meanwhile, it is over.
    await session.dismissRelays().catch(() => {});
    await closeRelays(mixer, room);
  }

  const roomOfLocalLeg = (localLeg: string): RelayedRoom | undefined =>
    [...rooms.values()].find(({ localLegs }) => localLegs.has(localLeg));

  /** Another session, whose browser is all that these legs still share a room with: they can leave it for this one. */
  const formerRoomOf = (localLegs: readonly string[], session: Session): RelayedRoom | undefined =>
    [...rooms.values()].find(
      (room) =>
        room.session.id !== session.id &&
        room.session.carrierLegId() === null &&
        localLegs.some((localLeg) => room.localLegs.has(localLeg)),
    );

  /** Null if it has none, or is not a leg of the pool. */
  async function find(legId: string): Promise<string | null> {
    const room = relayedRoomOf(legId);
    if (!room?.opened) return null;
    await room.opened.catch(() => {});
    return legId === room.session.carrierLegId() ? (room.carrierRelay?.legId ?? null) : room.browserRelay;
  }

  return {
    find,
    /** Where to open a local leg so that it can share a room with this browser. */
    placeFor: (browserLegId: string): { colocateWith?: string } => nextToRoom(relayedRoomOf(browserLegId)),
    /** Whether another carrier leg for this browser can't belong to its own session. */
    areNeeded(browserLegId: string): boolean {
      const session = pooled.sessionOf(browserLegId);
      return session !== null && (rooms.has(session.id) || session.carrierLegId() !== null);
    },
    add: (browserLegId: string, localLeg: string): void => void roomFor(browserLegId).localLegs.add(localLeg),
    /** The pool's session that this local leg shares a room with. */
    sessionOfLocalLeg: (localLeg: string): Session | null => roomOfLocalLeg(localLeg)?.session ?? null,
    /** Restores a session of a dead process, with new relay legs if it had any. Rejects as the pool does. */
    async restore(snapshot: LegsSnapshot): Promise<Session> {
      const relays = emptyRelaySet();
      const session = await pooled.restore(snapshot, relaysOf(mixer, relays)).catch(async (error: unknown) => {
        await closeRelays(mixer, relays);
        throw error;
      });
      if (session.hasRelays()) rooms.set(session.id, Object.assign(relays, { session, opened: Promise.resolve() }));
      return session;
    },
    /**
     * Opens relay legs for the pool's legs among these. Rejects with LegGone if they belong to two sessions, or to a
     * browser that is unrelated to the others.
     */
    async openRelays(legIds: readonly string[], { localLegs }: { localLegs: readonly string[] }): Promise<void> {
      const [legId = "", ...others] = legIds.filter((each) => pooled.sessionOf(each) !== null);
      const session = pooled.sessionOf(legId);
      const former = session && formerRoomOf(localLegs, session);
      const isRelated = session && (former || rooms.has(session.id) || session.carrierLegId() !== null);
      if (!isRelated || others.some((each) => pooled.sessionOf(each)?.id !== session.id))
        throw new LegGone("These legs are on two media planes.");
      const room = roomFor(legId);
      for (const localLeg of [...localLegs, ...(former?.localLegs ?? [])]) room.localLegs.add(localLeg);
      former?.localLegs.clear();
      room.opened ??= room.session.openRelays(relaysOf(mixer, room));
      await room.opened.catch(async (error: unknown) => {
        await end(room);
        throw error;
      });
      if (former) await end(former);
    },
    /** Closes a leg, and its relay leg. */
    async close(legId: string, close: () => Promise<void>): Promise<void> {
      const room = relayedRoomOf(legId) ?? roomOfLocalLeg(legId);
      const relay = room?.session.carrierLegId() === legId ? room.carrierRelay : null;
      if (room && relay) room.carrierRelay = null;
      if (relay) await mixer.close(relay.legId);
      await close();
      room?.localLegs.delete(legId);
      if (room && room.localLegs.size === 0 && room.session.carrierLegId() === null) await end(room);
    },
  };
}

/** A leg that every new leg of the room must be opened next to. */
function nextToRoom(room: RelaySet | undefined): { colocateWith?: string } {
  const [localLeg] = room?.localLegs ?? [];
  const colocateWith = room?.browserRelay ?? room?.carrierRelay?.legId ?? localLeg;
  return colocateWith === undefined ? {} : { colocateWith };
}

const relaysOf = (mixer: WeriftMediaPlane, room: RelaySet): Relays => ({
  async near(offer) {
    const { browserRelay } = room;
    if (browserRelay !== null) return (await mixer.restartBrowserLeg(browserRelay, offer)).answer;
    const { legId, answer } = await mixer.openRelayLeg(offer, nextToRoom(room));
    room.browserRelay = legId;
    return answer;
  },
  async far(theirs, { telephoneEventType }) {
    room.carrierRelay ??= await mixer.openCarrierLeg({ telephoneEventType, ...nextToRoom(room) });
    const { legId, offer } = room.carrierRelay;
    await mixer.acceptCarrierAnswer(legId, theirs);
    return answerWith(offer, theirs);
  },
});

async function closeRelays(mixer: WeriftMediaPlane, { browserRelay, carrierRelay }: RelaySet): Promise<void> {
  for (const legId of [browserRelay, carrierRelay?.legId]) if (legId != null) await mixer.close(legId);
}

/** Our answer to the line that they offered. */
function answerWith(ours: string, theirs: string): string {
  const [description, offered] = [readRtpDescription(ours), readRtpDescription(theirs)];
  if (!description || !offered) throw new Error("The rtpengine's SDP has no audio.");
  return writeRtpDescription(answerRtpDescription(offered, description));
}
