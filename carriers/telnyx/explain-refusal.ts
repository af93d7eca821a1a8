import type { ExplainedRefusal } from "@leadline/adapter-kit/provisioner";

const channels = "Telnyx’s limit of simultaneous calls is reached. Verify the account to raise it.";
const ownChannels =
  "The limit of simultaneous calls that this connection has at Telnyx is reached. Raise yours under Limits, then connect again.";
const notOurs = "Telnyx doesn’t accept this caller ID. Choose a number that its account holds or has verified.";
const setUpAgain = "The connection at Telnyx is off or incomplete. Connect again.";
const notReady = "Telnyx hasn’t enabled this caller ID for calls yet. Choose another number until it has.";

/** Of Telnyx itself, by the codes of "Telnyx SIP Response Codes" that a call out can meet. All have status 403. */
const byCode: Record<string, string> = {
  D1: channels,
  D2: ownChannels,
  D3: ownChannels,
  D7: setUpAgain,
  D9: "Telnyx takes no more calls to this international number within a minute. Try again in a minute.",
  D13: "Calls to this country are off at Telnyx. Allow it under Limits, then connect again.",
  D15: setUpAgain,
  D16: setUpAgain,
  D17: "Telnyx has disabled this account. Sign in to the Telnyx Portal to see why.",
  D22: channels,
  D24: "This number costs more per minute than the Telnyx voice profile allows. Raise that in the Telnyx Portal.",
  D26: setUpAgain,
  D35: "Telnyx needs a caller ID: a number that its account holds or has verified. Get one under Phone numbers.",
  D36: notOurs,
  D38: setUpAgain,
  D39: "Telnyx’s daily limit for international calls is reached. Ask Telnyx to raise it, or try again tomorrow.",
  D41: "Telnyx blocks calls to this number, against fraud. Ask Telnyx about it.",
  D46: "This caller ID is registered as one that never calls. Choose another number.",
  D49: notOurs,
  D51: notOurs,
  D54: "Telnyx blocks this caller ID because of its reputation. Choose another number, or ask Telnyx about it.",
  D58: "Telnyx blocks calls to this number. Ask Telnyx about it.",
  D60: "This Telnyx account calls verified numbers only. Upgrade it in the Telnyx Portal, or verify this number there.",
  D63: notReady,
  D64: notReady,
  TM1: "Telnyx doesn’t call this number: it has no rate for it.",
};

/** Its limit of new calls a second. */
const tooFast = { status: 503, code: "P05" };

/** Of a call: the reason phrase ends with one of Telnyx's codes. Other refusals may be the callee's. */
export function explainRefusal(status: number, reason: string): ExplainedRefusal | null {
  const code = /\b([A-Z]{1,2}\d{1,2})\s*$/.exec(reason)?.[1] ?? "";
  if (status === tooFast.status && code === tooFast.code)
    return { sentence: "Telnyx takes no more new calls this second.", ofCarrier: true, tooFast: true };
  const sentence = status === 403 ? byCode[code] : undefined;
  return sentence === undefined ? null : { sentence, ofCarrier: true };
}
