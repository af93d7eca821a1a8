import { createInOrder, createInOrderByKey, type InOrder } from "@leadline/adapter-kit/in-order";
import { type CallFlag, type CallFlags, flagsOff } from "@leadline/contract/call-flags";
import { type CallStatus, type HangUpCause, isLive } from "@leadline/contract/call-state";
import type { Call } from "@leadline/contract/calls";
import type { DiallingLeg } from "../carriers/channels/dialling-carrier.ts";
import type { MediaConnection } from "../media-connections/media-connections.ts";

/** Notified of the progress of a call that carries out a transfer. */
export interface CallFollower {
  ringing: () => void;
  answered: () => void;
  ended: (cause: HangUpCause) => void;
}

/** The call's latest transfer. */
export interface LiveTransfer {
  /** The far end is on hold only for the transfer, and comes off hold if that fails. */
  holds: boolean;
  underWay: boolean;
  /** The carrier has been asked, so the far end may leave us at any time. */
  sentToCarrier: boolean;
  /** The teammate in whose tabs it rings. Null: the transfer goes to a number. */
  memberId: string | null;
  /** The teammate is answering. Until that is done, nothing else ends the transfer. */
  accepting?: boolean;
  /** Ends the ringing when its time is over. */
  ringTimer?: NodeJS.Timeout;
  /** The call on the second line that carries it out, instead of the carrier. */
  secondCall?: LiveCall;
}

/** A call that this process carries, from before it is dialled until its end is stored. */
export interface LiveCall extends CallFlags {
  readonly callSid: string;
  readonly organisationId: string;
  /** Changes when a teammate takes the call over. */
  userId: string;
  readonly carrierId: string;
  /** The far end's leg on the media plane. */
  readonly carrierLegId: string;
  /** Null until the carrier has accepted the call. */
  leg: DiallingLeg | null;
  /** Why the carrier refused the call, as a sentence, if known. */
  refusal: string | null;
  connection: MediaConnection | null;
  /** At most one write ahead of the database. */
  status: CallStatus;
  /** performance.now() when the call was requested. */
  readonly startedAtMs: number;
  /** performance.now() when the call was answered. */
  answeredAtMs: number | null;
  /** How long after its answer the call is paid for, as held before it was dialled. Null: nothing was held. */
  readonly paidForMs: number | null;
  /** performance.now() when its former process last saw it. Null once the far end has responded to this process. */
  seenBeforeAtMs: number | null;
  /** The far end's SDP has arrived, so keys can be sent. */
  hasFarEnd: boolean;
  /** Whether the far end's SDP says that it sends audio. No audio is expected while either side holds. */
  farEndSends: boolean;
  farEndHolds: boolean;
  /** performance.now() since when audio from the far end has been expected. */
  audioExpectedSinceMs: number | null;
  transfer: LiveTransfer | null;
  /** Which of the person's two lines. Null once the call continues without them. */
  line: 1 | 2 | null;
  /** off: talking. requested: put on hold. for-other-line: on hold only while the person talks on the other line. */
  hold: "off" | "requested" | "for-other-line";
  /** For a call to a teammate on the second line. */
  teammateEntry: TeammateEntry | null;
  /** For a call that carries out a transfer of the first line's call. */
  follower: CallFollower | null;
  /** The call it is joined with: the two far ends hear each other. */
  joinedWith: LiveCall | null;
  /** A request to join it with the person's other call is in progress. Only one at a time may be. */
  joining: boolean;
  /** performance.now() since when no tab has been open. */
  unattendedSinceMs: number | null;
  /** performance.now() when the person's streams were last closed to see whether a client reconnects. */
  probedAtMs: number;
  /** Ends the call at the first limit that it is known to reach. */
  cutOffTimer: NodeJS.Timeout | undefined;
  /** The snapshot stored in the database for a restart. Null if there is none. */
  snapshot: string | null;
  /** Set when the call starts to end. Resolves once the end is stored. */
  ending: Promise<Call | null> | null;
  /** Runs the call's changes one at a time. */
  inOrder: InOrder;
  /** Runs the writes of `snapshot` one at a time. */
  snapshotInOrder: InOrder;
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
  Partial<Pick<LiveCall, CallFlag | "line" | "teammateEntry" | "follower" | "paidForMs">>;

export function createLiveCalls() {
  const calls = new Map<string, LiveCall>();
  const cleaningUp = new Map<string, Promise<unknown>>();
  const arranging = createInOrderByKey();
  let revision = 0;
  return {
    /** Keeps a person's next call waiting until a start with an unknown outcome has been cleaned up. */
    trackCleanUp(userId: string, cleanUp: Promise<unknown>): void {
      cleaningUp.set(userId, cleanUp);
      void cleanUp.finally(() => cleaningUp.get(userId) === cleanUp && cleaningUp.delete(userId));
    },
    cleanedUp: async (userId: string): Promise<void> => void (await cleaningUp.get(userId)),
    /** Orders rooms: the media plane ignores a room older than the last. */
    nextRevision: (): number => ++revision,
    /** Runs changes of a person's room one at a time. */
    arrangeInOrder: ({ userId }: LiveCall, arrange: () => Promise<void>): Promise<void> =>
      arranging.run(userId, arrange),
    begin(begun: Begun): LiveCall {
      const call: LiveCall = {
        line: 1,
        ...flagsOff,
        teammateEntry: null,
        follower: null,
        paidForMs: null,
        ...begun,
        hold: "off",
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
        snapshot: null,
        ending: null,
        inOrder: createInOrder(),
        snapshotInOrder: createInOrder(),
      };
      calls.set(call.callSid, call);
      return call;
    },
    find: (callSid: string): LiveCall | undefined => calls.get(callSid),
    forget: (callSid: string): void => void calls.delete(callSid),
    all: (): LiveCall[] => [...calls.values()],
    /** The calls whose audio uses this connection. */
    findByConnection: (connectionId: string): LiveCall[] =>
      [...calls.values()].filter((call) => call.connection?.id === connectionId),
    /** A live call that the person is in. */
    findOf: (userId: string): LiveCall | undefined =>
      [...calls.values()].find((call) => call.userId === userId && call.line !== null && isLive(call.status)),
    /** The call on the person's other line, while both are live. */
    findOtherLine: (call: LiveCall): LiveCall | undefined =>
      call.line === null
        ? undefined
        : [...calls.values()].find(
            (other) => other !== call && other.userId === call.userId && other.line !== null && isLive(other.status),
          ),
  };
}
export type LiveCalls = ReturnType<typeof createLiveCalls>;
