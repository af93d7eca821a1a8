import type { InboundCall } from "@leadline/adapter-kit/carrier";

export interface RingingCaller {
  callSid: string;
  organisationId: string;
  call: Pick<InboundCall, "answer" | "refuse">;
}

/** Takes calls that nobody takes. */
export interface Voicemail {
  /**
   * How long a call is to ring before it is taken, 0 outside the organisation's opening hours; null where voicemail is off, or
   * its settings cannot be read.
   */
  ringMs(organisationId: string): Promise<number | null>;
  /** Ends the call's ringing and answers its caller; or says why not, and then nothing has changed. The row is written before. */
  take(caller: RingingCaller): Promise<"taken" | "off" | "full" | "busy" | "failed">;
}
