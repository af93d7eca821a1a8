import type { CarrierLegEvent } from "@leadline/adapter-kit/carrier";
import type { UserAgentServer } from "sip.js/lib/core/index.js";

import type { Trunk } from "../trunk.ts";
import { mayDescribe } from "./encryption-over.ts";
import { sdpIn } from "../signalling/session-body.ts";
import type { LocalDescription } from "./session-description.ts";

/** Audio before the answer, by the early dialog that it belongs to. */
export function createEarlyMedia(trunk: Trunk, local: LocalDescription, emit: (event: CarrierLegEvent) => void) {
  const answers = new Map<string, string>();

  function hear(sdp: string, tag: string): void {
    const answer = local.heard(sdp);
    if (answer === null) return;
    answers.set(tag, answer);
    emit({ type: "early-media", answer });
  }

  return {
    hear,
    forget: (): void => answers.clear(),
    /** The description that applies if the answer has none of its own. */
    answerOf: (tag: string): string | null => answers.get(tag) ?? [...answers.values()].at(-1) ?? null,
    /** Handles an UPDATE (RFC 3311) during ringing: a proxy refreshes the session, or early media moves. */
    answerUpdate(update: UserAgentServer): void {
      const offered = sdpIn(update.message);
      // Our own offer is open until it is answered, and a refused change has no effect.
      if (offered !== "" && answers.size === 0) return void update.reject({ statusCode: 491 });
      const content = offered !== "" && mayDescribe(update.message, local) ? local.answer(offered) : null;
      if (offered !== "" && content === null) return void update.reject({ statusCode: 488 });
      update.accept({
        statusCode: 200,
        extraHeaders: [trunk.core.contactHeader],
        ...(content !== null && { body: { contentDisposition: "session", contentType: "application/sdp", content } }),
      });
      if (offered !== "") hear(offered, update.message.fromTag);
    },
  };
}
