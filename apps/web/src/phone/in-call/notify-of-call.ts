import { isLive } from "@leadline/contract/call-state";
import type { Call } from "@leadline/contract/calls";
import { callEndedSentence } from "../../components/call-ended-sentence.ts";
import { leadOfCall } from "../../components/lead-names.ts";
import { showNotice } from "../../data/show-notice.ts";
import { loadFormat } from "../numbers/use-formatted-number.ts";

/** Notifies the rep that an outbound call was answered, or that a call is over. */
export async function notifyOfCall(call: Call): Promise<void> {
  const { callSid: tag, status } = call;
  if (isLive(status) && (status !== "in-progress" || call.direction === "inbound")) return;
  const format = await loadFormat();
  const who = leadOfCall(call.leads) ?? format(call.phoneNumber);
  if (status === "in-progress") showNotice({ about: "call-answered", title: `${who} answered`, body: "In call.", tag });
  else showNotice({ about: "call-ended", title: `Call with ${who} ended`, body: callEndedSentence(call, format), tag });
}
