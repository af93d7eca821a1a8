import type { CarrierTrace } from "@leadline/contract/carriers";

const cseq = /^CSeq[ \t]*:[ \t]*\d+[ \t]+(\S+)/im;
const to = /^(?:To|t)[ \t]*:[ \t]*(.*)$/im;
const from = /^(?:From|f)[ \t]*:[ \t]*(.*)$/im;
const user = /sips?:([^@:;>\s]+)[^@>\s]*@|tel:([^;>\s]+)/i;

/** The first line alone doesn't identify a call, so add the request that a response answers, and the far end's number. */
export function describeTraceMessage({
  direction,
  summary,
  text,
}: Pick<CarrierTrace["messages"][number], "direction" | "summary" | "text">): {
  answers: string | null;
  number: string | null;
} {
  const isResponse = /^SIP\//i.test(summary);
  // A response keeps the From and To of its request (RFC 3261, section 8.2.6.2).
  const isOurRequest = (direction === "sent") !== isResponse;
  const [, inSip, inTel] = user.exec((isOurRequest ? to : from).exec(text)?.[1] ?? "") ?? [];
  return { answers: isResponse ? (cseq.exec(text)?.[1] ?? null) : null, number: inSip ?? inTel ?? null };
}
