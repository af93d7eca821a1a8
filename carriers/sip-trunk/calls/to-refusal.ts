import type { CarrierRefusal } from "@leadline/adapter-kit/carrier-refusal";
import type { IncomingResponseMessage } from "sip.js/lib/core/index.js";

/** As the carrier wrote it. */
export function toRefusal(message: IncomingResponseMessage): CarrierRefusal {
  const own = Object.keys(message.headers).filter((name) => /^x-/i.test(name));
  return {
    status: message.statusCode ?? 500,
    reason: message.reasonPhrase ?? "",
    headers: Object.fromEntries(own.map((name) => [name.toLowerCase(), message.getHeader(name) ?? ""])),
  };
}
