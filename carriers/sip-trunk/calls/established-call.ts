import type { CarrierHangUpCause, CarrierLeg, CarrierLegEvent, HangUpNotice } from "@leadline/adapter-kit/carrier";
import type { IncomingPrackRequest, IncomingRequestMessage, IncomingResponseMessage } from "sip.js/lib/core/index.js";

import type { LegSnapshot } from "./leg-snapshot.ts";
import type { ReplaceableLeg } from "./replaces.ts";
import type { LocalDescription } from "./session-description.ts";

export interface Established {
  bye(why?: HangUpNotice): Promise<void>;
  setHold(held: boolean): Promise<void>;
  sendDigits(digits: string): Promise<void>;
  offerDigits(digits: string): Promise<string>;
  transfer: NonNullable<CarrierLeg["transfer"]>;
  /** Null if there is no dialog to resume. */
  snapshot(options: { withKeys: boolean }): Omit<LegSnapshot, "target"> | null;
  /** Stops without a BYE. */
  leave(): void;
  replaceable: ReplaceableLeg["replaceable"];
}

interface ResumedDialog extends Pick<LegSnapshot, "allowed" | "knowsReplaces"> {
  /** Our audio is no longer at the address that the far end was last given. */
  hasMoved: boolean;
}

export interface EstablishOptions {
  /** The response that created the dialog, the request if the far end called, or the snapshot of a resumed dialog. */
  accepted: IncomingResponseMessage | IncomingRequestMessage | ResumedDialog;
  /** uac: we called; uas: the far end called. */
  weAre: "uac" | "uas";
  local: LocalDescription;
  /** The shortest session interval that the far end accepts, if it has refused a shorter one. */
  minSessionSeconds?: number;
  /** The far end's latest description; empty until it has sent one. */
  answer: string;
  /** Handles the PRACK of a reliable provisional response from before the answer (RFC 3262). */
  onPrack?: (request: IncomingPrackRequest) => void;
  /** The cause to report if its description is unusable. */
  unusable: CarrierHangUpCause;
  emit: (event: CarrierLegEvent) => void;
  finish: (cause: CarrierHangUpCause) => void;
}
