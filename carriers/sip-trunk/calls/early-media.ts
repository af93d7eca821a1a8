import type { CarrierLegEvent } from "@leadline/adapter-kit/carrier";
import type { UserAgentServer } from "sip.js/lib/core/index.js";

import type { Trunk } from "../trunk.ts";
import { mayDescribe } from "./sealing-over.ts";
import { sdpIn } from "../signalling/session-body.ts";
import type { LocalDescription } from "./session-description.ts";

/** Audio that comes before the answer, by the dialog that it belongs to. */
export function createEarlyMedia(trunk: Trunk, local: LocalDescription, tell: (event: CarrierLegEvent) => void) {
  const answers = new Map<string, string>();

  function hear(sdp: string, tag: string): void {
    const answer = local.heard(sdp);
    if (answer === null) return;
    answers.set(tag, answer);
    tell({ type: "early-media", answer });
  }

  return {
    hear,
    forget: (): void => answers.clear(),
    /** What an answer without a description of its own means. */
    answerOf: (tag: string): string | null => answers.get(tag) ?? [...answers.values()].at(-1) ?? null,
    /** An UPDATE (RFC 3311) while it rings: a proxy proves that it is there, or the audio before the answer moves. */
    answerUpdate(update: UserAgentServer): void {
      const offered = sdpIn(update.message);
      // Our own offer stands until it is answered, and what is refused changes nothing.
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
