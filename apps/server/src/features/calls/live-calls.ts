import type { CarrierLeg } from "@leadline/adapter-kit/carrier";
import { createInOrder, type InOrder } from "@leadline/adapter-kit/in-order";
import { type CallStatus, isLive } from "@leadline/contract/call-state";
import type { Call } from "@leadline/contract/calls";
import type { MediaConnection } from "../media-connections/media-connections.ts";

/** The call's last. */
export interface LiveTransfer {
  /** The far end is on hold for it alone, and off hold again where it comes to nothing. */
  holds: boolean;
  underWay: boolean;
  /** The carrier has been asked: the far end may go on without us. */
  asked: boolean;
  /** The teammate in whose tabs it rings; null where the far end is sent to a number. */
  memberId: string | null;
  /** They are answering: until that is done nothing else ends it. */
  taking?: boolean;
  /** Ends the ringing once it has rung for long enough. */
  patience?: NodeJS.Timeout;
}

/** A call this process carries, from before it is dialled until its end is written down. */
export interface LiveCall {
  readonly callSid: string;
  readonly organisationId: string;
  /** Changes where a teammate takes it over. */
  userId: string;
  readonly carrierId: string;
  /** The far side's leg in the media plane. */
  readonly carrierLegId: string;
  /** Null until the carrier has taken the call. */
  leg: CarrierLeg | null;
  /** Why its carrier refuses it, in a sentence, where one is known. */
  refusal: string | null;
  connection: MediaConnection | null;
  /** Ahead of the database by at most one write. */
  status: CallStatus;
  /** performance.now() when the call was asked for. */
  readonly startedAtMs: number;
  /** performance.now() at the answer. */
  answeredAtMs: number | null;
  /** performance.now() when a former process last saw it; null once its far end has told this one that it is there. */
  seenBeforeAtMs: number | null;
  /** The far end's SDP has arrived: keys reach it. */
  hasFarEnd: boolean;
  /** By its SDP the far end sends audio; with hold on either side nobody expects any. */
  farEndSends: boolean;
  farEndHolds: boolean;
  /** performance.now() since when the far end has been expected to send audio. */
  audioExpectedSinceMs: number | null;
  transfer: LiveTransfer | null;
  /** Of the person's two; null once it goes on without them. */
  line: 1 | 2 | null;
  muted: boolean;
  /** Of three, those who hear this far end otherwise do not. */
  silenced: boolean;
  /** no: they talk. for-other: only while the person talks on their other line. */
  hold: "no" | "asked" | "for-other";
  /** If it is the second line and calls a teammate. */
  teammateEntry: TeammateEntry | null;
  /** The call whose far end hears this one's. */
  joinedWith: LiveCall | null;
  /** It is being joined with its person's other: one request at a time does that. */
  joining: boolean;
  /** performance.now() since when no tab has been seen. */
  unattendedSinceMs: number | null;
  /** performance.now() when the person's streams were last asked to prove that somebody reads them. */
  probedAtMs: number;
  /** Ends the call at a limit that it is about to reach. */
  cutOffTimer: NodeJS.Timeout | undefined;
  /** What stands in the database for a restart; null where nothing does. */
  remembered: string | null;
  /** Set by the first end: resolves once it is written down. */
  ending: Promise<Call | null> | null;
  /** Runs the call's changes one after the other. */
  inOrder: InOrder;
  /** Runs what writes `remembered`, one after the other. */
  rememberInOrder: InOrder;
}

/** The call as the teammate's own log has it. */
interface TeammateEntry {
  callSid: string;
  /** Its callerId once the first call has ended. */
  alone: string;
  /** Its callerId once the first call has been transferred to the teammate. */
  transferred: string;
}

type Begun = Pick<
  LiveCall,
  "callSid" | "organisationId" | "userId" | "carrierId" | "carrierLegId" | "connection" | "startedAtMs"
> &
  Partial<Pick<LiveCall, "line" | "muted" | "teammateEntry">>;

export function createLiveCalls() {
  const calls = new Map<string, LiveCall>();
  const settling = new Map<string, Promise<unknown>>();
  const arranging = new Map<string, Promise<unknown>>();
  let revision = 0;
  return {
    /** A start whose outcome is unknown keeps its person's next one waiting until it is cleared up. */
    settle(userId: string, clearingUp: Promise<unknown>): void {
      settling.set(userId, clearingUp);
      void clearingUp.finally(() => settling.get(userId) === clearingUp && settling.delete(userId));
    },
    settled: async (userId: string): Promise<void> => void (await settling.get(userId)),
    /** Of a room that is derived now: the last one wins. */
    nextRevision: (): number => ++revision,
    /** Runs what changes who hears whom in a person's calls, one after the other. */
    arrangeInOrder({ userId }: LiveCall, arrange: () => Promise<void>): Promise<void> {
      const done = (arranging.get(userId) ?? Promise.resolve()).then(arrange);
      const last = done.catch(() => undefined);
      arranging.set(userId, last);
      void last.then(() => arranging.get(userId) === last && arranging.delete(userId));
      return done;
    },
    begin(begun: Begun): LiveCall {
      const call: LiveCall = {
        line: 1,
        muted: false,
        silenced: false,
        teammateEntry: null,
        ...begun,
        hold: "no",
        joinedWith: null,
        joining: false,
        leg: null,
        refusal: null,
        status: "queued",
        answeredAtMs: null,
        seenBeforeAtMs: null,
        hasFarEnd: false,
        farEndSends: true,
        farEndHolds: false,
        audioExpectedSinceMs: null,
        transfer: null,
        unattendedSinceMs: null,
        probedAtMs: performance.now(),
        cutOffTimer: undefined,
        remembered: null,
        ending: null,
        inOrder: createInOrder(),
        rememberInOrder: createInOrder(),
      };
      calls.set(call.callSid, call);
      return call;
    },
    find: (callSid: string): LiveCall | undefined => calls.get(callSid),
    forget: (callSid: string): void => void calls.delete(callSid),
    all: (): LiveCall[] => [...calls.values()],
    /** The calls whose sound goes through this connection. */
    findByConnection: (connectionId: string): LiveCall[] =>
      [...calls.values()].filter((call) => call.connection?.id === connectionId),
    /** One of the person's, while they are in it. */
    findOf: (userId: string): LiveCall | undefined =>
      [...calls.values()].find((call) => call.userId === userId && call.line !== null && isLive(call.status)),
    /** The one on the person's other line, while both live. */
    findBeside: (call: LiveCall): LiveCall | undefined =>
      call.line === null
        ? undefined
        : [...calls.values()].find(
            (other) => other !== call && other.userId === call.userId && other.line !== null && isLive(other.status),
          ),
  };
}
export type LiveCalls = ReturnType<typeof createLiveCalls>;
