import type { InboundCall } from "@leadline/adapter-kit/carrier";

export interface RingingCaller {
  callSid: string;
  organisationId: string;
  call: Pick<InboundCall, "answer" | "refuse">;
}

/** Answers calls that nobody else answers. */
export interface Voicemail {
  /**
   * How long a call rings before voicemail answers; 0 outside opening hours. Null if voicemail is off or its settings
   * can't be read.
   */
  ringMs(organisationId: string): Promise<number | null>;
  /**
   * Stops the ringing and answers the caller. If it can't, returns why and changes nothing. The call's row must exist.
   */
  take(caller: RingingCaller): Promise<"taken" | "off" | "full" | "busy" | "failed">;
}
