import type { InboundCall } from "@leadline/adapter-kit/carrier";

/**
 * nobody-there, nobody-free, no-media-server, too-many-calls: the call never rang. voicemail-failed, voicemail-busy:
 * voicemail was to answer and couldn't.
 */
export type WhyUnanswered =
  | "given-up"
  | "rung-out"
  | "declined"
  | "nobody-there"
  | "nobody-free"
  | "no-media-server"
  | "too-many-calls"
  | "voicemail-busy"
  | "closed"
  | "voicemail-failed"
  | "closing";

/**
 * A call that rings in tabs of this process's organisations, from before its row is written until it is answered or
 * over.
 */
export interface RingingCall {
  readonly callSid: string;
  readonly organisationId: string;
  readonly carrierId: string;
  readonly call: InboundCall;
  /** The only teammate for whom it rings. Null: everyone. */
  readonly memberId: string | null;
  /** Resolves once the row is written. */
  readonly written: Promise<unknown>;
  readonly declinedBy: Set<string>;
  /** taken: a member or voicemail is answering, and nobody else can. */
  state: "ringing" | "taken" | "over";
  /** A reason to end that arose while somebody was answering. Applied if they fail. */
  due: WhyUnanswered | null;
  /** Ends the call when the ring time is over. */
  ringTimer: NodeJS.Timeout | undefined;
}

type Begun = Pick<RingingCall, "callSid" | "organisationId" | "carrierId" | "call" | "written"> &
  Partial<Pick<RingingCall, "memberId">>;

export function createRingingCalls() {
  const calls = new Map<string, RingingCall>();
  return {
    begin(begun: Begun): RingingCall {
      const ringing: RingingCall = {
        memberId: null,
        ...begun,
        declinedBy: new Set(),
        state: "ringing",
        due: null,
        ringTimer: undefined,
      };
      calls.set(ringing.callSid, ringing);
      return ringing;
    },
    find: (callSid: string): RingingCall | undefined => calls.get(callSid),
    forget(callSid: string): void {
      clearTimeout(calls.get(callSid)?.ringTimer);
      calls.delete(callSid);
    },
    all: (): RingingCall[] => [...calls.values()],
  };
}
export type RingingCalls = ReturnType<typeof createRingingCalls>;
