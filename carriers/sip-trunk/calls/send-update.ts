import type { IncomingResponseMessage, SessionDialog } from "sip.js/lib/core/index.js";

import type { Trunk } from "../trunk.ts";

interface UpdateOptions {
  headers: string[];
  keepTime: (accepted: IncomingResponseMessage) => void;
  onRefused: (refusal: IncomingResponseMessage) => void;
}

/** Refreshes a call by UPDATE (RFC 3311); resolves to the final status. */
export function sendUpdate(
  trunk: Trunk,
  within: SessionDialog,
  { headers, keepTime, onRefused }: UpdateOptions,
): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  trunk.core.request(within.createOutgoingRequestMessage("UPDATE", { extraHeaders: headers }), {
    onAccept({ message }) {
      keepTime(message);
      resolve(200);
    },
    onRedirect: () => resolve(302),
    onReject({ message }) {
      onRefused(message);
      resolve(message.statusCode ?? 500);
    },
  });
  return promise;
}
