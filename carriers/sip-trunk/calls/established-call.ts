import type { CarrierHangUpCause, CarrierLeg, CarrierLegEvent, HangUpNotice } from "@leadline/adapter-kit/carrier";
import type { IncomingPrackRequest, IncomingRequestMessage, IncomingResponseMessage } from "sip.js/lib/core/index.js";

import type { RememberedLeg } from "./remembered-leg.ts";
import type { ReplaceableLeg } from "./replaces.ts";
import type { LocalDescription } from "./session-description.ts";

export interface Established {
  bye(why?: HangUpNotice): Promise<void>;
  setHold(held: boolean): Promise<void>;
  sendDigits(digits: string): Promise<void>;
  offerDigits(digits: string): Promise<string>;
  transfer: NonNullable<CarrierLeg["transfer"]>;
  /** Null where there is no dialog to go on with. */
  remember(options: { withKeys: boolean }): Omit<RememberedLeg, "target"> | null;
  /** Stops without a BYE. */
  leave(): void;
  replaceable: ReplaceableLeg["replaceable"];
}

interface ResumedDialog extends Pick<RememberedLeg, "allowed" | "knowsReplaces"> {
  /** Our sound is elsewhere than the far end was told last. */
  hasMoved: boolean;
}

export interface EstablishOptions {
  /** The response that made the dialog, the request where the far end called, or what is known of a dialog that is resumed. */
  accepted: IncomingResponseMessage | IncomingRequestMessage | ResumedDialog;
  /** Who called: we, as uac, or the far end. */
  weAre: "uac" | "uas";
  local: LocalDescription;
  /** What the far end last said of its side; empty where it has yet to say so. */
  answer: string;
  /** Of what was told before the answer, where that was to be acknowledged (RFC 3262). */
  onPrack?: (request: IncomingPrackRequest) => void;
  /** The cause where it says nothing that serves. */
  unusable: CarrierHangUpCause;
  tell: (event: CarrierLegEvent) => void;
  finish: (cause: CarrierHangUpCause) => void;
}
