import type { IncomingRequest, IncomingRequestMessage, SessionDialog, UserAgentServer } from "sip.js/lib/core/index.js";

import { sdpIn } from "../signalling/session-body.ts";
import type { Trunk } from "../trunk.ts";
import { crossesOurs } from "./open-offer.ts";
import { mayDescribe } from "./encryption-over.ts";
import type { LocalDescription } from "./session-description.ts";
import { whyTooBrief } from "./session-interval.ts";

interface AnswerChangeOptions {
  dialog: SessionDialog | null;
  local: LocalDescription;
  /** The far end's latest description. */
  theirs: string;
  /** Agrees to the request's session timer. */
  agree: (request: IncomingRequestMessage) => string[];
}

/**
 * Handles a new description from the far end, by re-INVITE or UPDATE: it holds, resumes, moves, or only refreshes the
 * session. Returns the description, empty if the offer was left to us; null if it was refused.
 */
export function answerChange(
  trunk: Trunk,
  request: IncomingRequest | UserAgentServer,
  { dialog, local, theirs, agree }: AnswerChangeOptions,
): string | null {
  const { message } = request;
  const refuse = (refusal: { statusCode: number; extraHeaders?: string[] }): null => {
    request.reject(refusal);
    return null;
  };
  const offered = sdpIn(message);
  if (crossesOurs(message, { dialog, theirs })) return refuse({ statusCode: 491 });
  const tooBrief = whyTooBrief(message, trunk.settings.sessionSeconds);
  if (tooBrief) return refuse(tooBrief);
  const describes = offered !== "" || message.method === "INVITE";
  const answered = describes && mayDescribe(message, local) ? local.answerChange(offered) : null;
  const content = describes ? answered : "";
  if (content === null) return refuse({ statusCode: 488 });
  request.accept({
    statusCode: 200,
    extraHeaders: [...agree(message), trunk.core.contactHeader],
    ...(content !== "" && { body: { contentDisposition: "session", contentType: "application/sdp", content } }),
  });
  return offered;
}
