import type { IncomingRequestMessage } from "sip.js/lib/core/index.js";

import type { Refusal } from "./why-not-understood.ts";

/** What PBXs send without being asked: messages waiting (RFC 3842, also without a subscription), and a NAT's keep-alive. */
const unaskedEvents = ["message-summary", "keep-alive"];

/** What answers a request that belongs to no dialog, where the library answers 405 or nothing; null where it answers it well. */
export function replyOutsideDialogs(message: IncomingRequestMessage): Refusal | null {
  if (message.toTag !== "") return null;
  if (message.method === "INFO" || message.method === "PRACK") return { statusCode: 481 };
  if (message.method !== "NOTIFY") return null;
  const event = message.getHeader("event")?.split(";")[0]?.trim().toLowerCase() ?? "";
  // Taken and ignored, as Asterisk does: who is refused sends it again and again, or takes us for unreachable.
  if (unaskedEvents.includes(event)) return { statusCode: 200 };
  // Of a REFER (RFC 3515), whose dialog is gone.
  if (event === "refer") return { statusCode: 481 };
  return { statusCode: 489, extraHeaders: [`Allow-Events: ${[...unaskedEvents, "refer"].join(", ")}`] };
}
