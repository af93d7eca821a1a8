import type { ExplainedRefusal } from "@leadline/adapter-kit/provisioner";

/** What a callee answers. Its reason phrase is its own, whatever digits it has. */
const ofCallee = [404, 486, 600, 603];

/** Of a call: Twilio's reason phrase, and the code that its header X-Twilio-Error holds. */
export function explainRefusal(
  status: number,
  reason: string,
  headers: Record<string, string> = {},
): ExplainedRefusal | null {
  if (ofCallee.includes(status)) return null;
  const code = Number(/\d{5}/.exec(headers["x-twilio-error"] ?? reason)?.[0] ?? 0);
  // With another status the words may be the callee's own.
  const says = (words: RegExp): boolean => [402, 403, 503].includes(status) && words.test(reason);
  const ofCarrier = (sentence: string): ExplainedRefusal => ({ sentence, ofCarrier: true });
  if (status === 503 && /cps/i.test(reason))
    return {
      sentence: "Twilio takes no more new calls this second. Raise the trunk’s calls per second in the Twilio Console.",
      ofCarrier: true,
      tooFast: true,
    };
  if (says(/concurren/i))
    return ofCarrier("Twilio’s limit of simultaneous calls is reached. An approved business profile raises it.");
  if (code === 32204 || says(/caller id is unauthorized/i))
    return ofCarrier(
      "Twilio needs a caller ID: a number that its account has bought or verified. Get one under Phone numbers.",
    );
  if (code === 32209) return ofCarrier("This trunk is secure: Twilio takes calls over TLS and SRTP only.");
  if (code === 32205 || code === 13227 || says(/geo|international permission/i))
    return ofCarrier("Calls to this country are off. Allow it in the Twilio Console under Voice, Geo permissions.");
  if (status === 402 || says(/insufficient|balance/i))
    return ofCarrier("The Twilio account has no balance left. Add funds in the Twilio Console under Billing.");
  if (says(/unverified|trial/i))
    return ofCarrier("A Twilio trial account calls verified numbers only. Upgrade it, or verify this number.");
  return null;
}
