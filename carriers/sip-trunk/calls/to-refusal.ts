import type { CarrierRefusal } from "@leadline/adapter-kit/carrier-refusal";
import type { IncomingResponseMessage } from "sip.js/lib/core/index.js";
import { ownHeaders } from "./own-headers.ts";

/** As the carrier wrote it. */
export const toRefusal = (message: IncomingResponseMessage): CarrierRefusal => ({
  status: message.statusCode ?? 500,
  reason: message.reasonPhrase ?? "",
  headers: ownHeaders(message),
});
