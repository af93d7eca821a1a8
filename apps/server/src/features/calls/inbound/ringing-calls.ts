import type { InboundCall } from "@leadline/adapter-kit/carrier";

/** nobody-there, nobody-free, no-media-server, too-many-calls: it has not rung at all. voicemail-failed, voicemail-busy: none of the others. */
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

/** A call that rings in this process's organisations' tabs, from before its row is written until it is taken or over. */
export interface RingingCall {
  readonly callSid: string;
  readonly organisationId: string;
  readonly carrierId: string;
  readonly call: InboundCall;
  /** The teammate for whom alone it rings; null: it rings for everybody. */
  readonly memberId: string | null;
  /** Resolves once the row is written. */
  readonly written: Promise<unknown>;
  readonly declinedBy: Set<string>;
  /** taken: somebody, or the voicemail, is answering it, and nobody else can. */
  state: "ringing" | "taken" | "over";
  /** What would have ended it while somebody was answering; it does where they cannot. */
  due: WhyUnanswered | null;
  /** Ends it once it has rung for long enough. */
  patience: NodeJS.Timeout | undefined;
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
        patience: undefined,
      };
      calls.set(ringing.callSid, ringing);
      return ringing;
    },
    find: (callSid: string): RingingCall | undefined => calls.get(callSid),
    forget(callSid: string): void {
      clearTimeout(calls.get(callSid)?.patience);
      calls.delete(callSid);
    },
    all: (): RingingCall[] => [...calls.values()],
  };
}
export type RingingCalls = ReturnType<typeof createRingingCalls>;
