import type { IncomingInfoRequest } from "sip.js/lib/core/index.js";

/** What a trunk may send about DTMF and video; we accept all of it and act on none. */
const takenTypes = ["application/dtmf-relay", "application/dtmf", "application/media_control+xml"];

/**
 * Answers an INFO within a call: with an Info-Package (RFC 6086), of which we support none, or with a type that PBXs
 * send regardless.
 */
export function answerInfo(request: IncomingInfoRequest): void {
  const { message } = request;
  const type = (message.getHeader("content-type") ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
  if (message.hasHeader("info-package")) request.reject({ statusCode: 469, extraHeaders: ["Recv-Info:"] });
  else if (message.body !== "" && !takenTypes.includes(type))
    request.reject({ statusCode: 415, extraHeaders: [`Accept: ${takenTypes.join(", ")}`] });
  else request.accept();
}
