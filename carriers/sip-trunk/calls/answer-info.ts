import type { IncomingInfoRequest } from "sip.js/lib/core/index.js";

/** What a trunk may say of keys and of its picture; none of it is for us to act on, and all of it is taken. */
const takenTypes = ["application/dtmf-relay", "application/dtmf", "application/media_control+xml"];

/** An INFO within a call: of a package that we know, of which there is none (RFC 6086), or of a type that PBXs send anyway. */
export function answerInfo(request: IncomingInfoRequest): void {
  const { message } = request;
  const type = (message.getHeader("content-type") ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
  if (message.hasHeader("info-package")) request.reject({ statusCode: 469, extraHeaders: ["Recv-Info:"] });
  else if (message.body !== "" && !takenTypes.includes(type))
    request.reject({ statusCode: 415, extraHeaders: [`Accept: ${takenTypes.join(", ")}`] });
  else request.accept();
}
