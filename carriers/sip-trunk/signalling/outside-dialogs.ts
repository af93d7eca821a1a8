import type { IncomingRequestMessage } from "sip.js/lib/core/index.js";

import type { Refusal } from "./why-not-understood.ts";

/** Unsolicited events that PBXs send: message waiting (RFC 3842, also without a subscription), and NAT keep-alives. */
const unaskedEvents = ["message-summary", "keep-alive"];

/**
 * The response to a request outside any dialog, if the library would answer 405 or nothing; null if the library handles
 * it correctly.
 */
export function replyOutsideDialogs(message: IncomingRequestMessage): Refusal | null {
  if (message.toTag !== "") return null;
  if (message.method === "INFO" || message.method === "PRACK") return { statusCode: 481 };
  if (message.method !== "NOTIFY") return null;
  const event = message.getHeader("event")?.split(";")[0]?.trim().toLowerCase() ?? "";
  // Accepted and ignored, as Asterisk does: a refusal makes some PBXs repeat it endlessly or consider us unreachable.
  if (unaskedEvents.includes(event)) return { statusCode: 200 };
  // For a REFER (RFC 3515) whose dialog is gone.
  if (event === "refer") return { statusCode: 481 };
  return { statusCode: 489, extraHeaders: [`Allow-Events: ${[...unaskedEvents, "refer"].join(", ")}`] };
}
