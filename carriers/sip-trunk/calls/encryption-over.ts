import type { IncomingRequestMessage } from "sip.js/lib/core/index.js";

import type { TrunkSettings } from "../settings.ts";
import type { SipProtocol, SipTarget } from "../transport/sip-target.ts";
import { sourceOf } from "../transport/via.ts";
import type { MediaEncryption } from "./choose-line.ts";
import type { LocalDescription } from "./session-description.ts";

/**
 * SRTP keys are only sent over TLS: elsewhere anyone on the path could listen in. Null: encryption is required and this
 * transport doesn't allow it.
 */
export function encryptionOver(
  protocol: SipProtocol,
  wanted: TrunkSettings["mediaEncryption"],
): MediaEncryption | null {
  if (wanted === "off") return "never";
  if (protocol === "TLS") return wanted === "required" ? "always" : "possibly";
  return wanted === "required" ? null : "never";
}

/** Whether a request within a call may change its audio: our answer returns the same way. */
export const mayDescribe = (request: IncomingRequestMessage, local: LocalDescription): boolean =>
  !local.mayHoldKeys() || sourceOf(request)?.protocol === "TLS";

/** Whether a call to one of these can be encrypted. */
export const canBeEncrypted = (targets: readonly SipTarget[], wanted: TrunkSettings["mediaEncryption"]): boolean =>
  targets.some(({ protocol }) => ["possibly", "always"].includes(encryptionOver(protocol, wanted) ?? "never"));
