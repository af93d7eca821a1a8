import type { IncomingRequestMessage } from "sip.js/lib/core/index.js";

import type { TrunkSettings } from "../settings.ts";
import type { SipProtocol } from "../transport/sip-target.ts";
import { sourceOf } from "../transport/via.ts";
import type { Sealing } from "./choose-line.ts";
import type { LocalDescription } from "./session-description.ts";

/** Keys go by TLS alone: elsewhere whoever reads them could listen in. Null: a call that must be sealed cannot go that way. */
export function sealingOver(protocol: SipProtocol, wanted: TrunkSettings["mediaEncryption"]): Sealing | null {
  if (wanted === "off") return "never";
  if (protocol === "TLS") return wanted === "required" ? "always" : "possibly";
  return wanted === "required" ? null : "never";
}

/** Whether a request within a call may change its sound: our answer goes back the way that it came. */
export const mayDescribe = (request: IncomingRequestMessage, local: LocalDescription): boolean =>
  !local.mayHoldKeys() || sourceOf(request)?.protocol === "TLS";
