import type { CarrierHangUpCause } from "@leadline/adapter-kit/carrier";

import { causeOfRefusal, isOfDescription, notEncrypted, unanswered } from "./cause-of.ts";
import type { MediaEncryption } from "./choose-line.ts";
import type { Tried } from "./hops.ts";
import type { Refusal } from "./send-invite.ts";

/** again: the request was refused, not the call. next: this target can't, another might. */
export type NextStep =
  | { step: "again"; changed: Tried }
  | { step: "next"; orElse: CarrierHangUpCause }
  | { step: "finish"; cause: CarrierHangUpCause };

/** What to do after a target has refused such an INVITE. */
export function afterRefusal(
  {
    message,
    isSilent,
    phase,
  }: Pick<Refusal, "isSilent" | "phase"> & {
    message: Pick<Refusal["message"], "statusCode" | "getHeader">;
  },
  asked: { sessionSeconds: number; sealing: MediaEncryption },
): NextStep {
  const status = message.statusCode ?? 500;
  const minSeconds = Number(message.getHeader("min-se"));
  if (status === 422 && minSeconds > asked.sessionSeconds) return { step: "again", changed: { minSeconds } };
  if (isOfDescription(status)) {
    if (asked.sealing === "possibly") return { step: "again", changed: { inTheClear: true } };
    if (asked.sealing === "always") return { step: "finish", cause: notEncrypted(status) };
  }
  if (isSilent && phase === "calling") return { step: "next", orElse: unanswered };
  const cause = isSilent ? causeOfRefusal(503) : causeOfRefusal(status, message.getHeader("reason"));
  // A proxy sends 100 before it finds that it can't route the call (RFC 3263, section 4.3).
  if (!isSilent && status === 503 && phase !== "early") return { step: "next", orElse: cause };
  return { step: "finish", cause };
}
