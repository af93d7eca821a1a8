import { isLive } from "@leadline/contract/call-state";
import type { Call } from "@leadline/contract/calls";
import { useEffect } from "react";
import { callEndedSentence } from "../../components/call-ended-sentence.ts";
import { leadOfCall } from "../../components/lead-names.ts";
import { showNotice } from "../../data/show-notice.ts";
import { loadFormat } from "../numbers/use-formatted-number.ts";

/** Tells somebody who works in another window that their call was answered, or is over. */
export function CallNotices({ call }: { call: Call }): null {
  const { callSid, status } = call;
  useEffect(() => {
    void tell(call);
    // oxlint-disable-next-line react/exhaustive-deps -- once a status, whatever else of the call changes meanwhile
  }, [callSid, status]);
  return null;
}

async function tell(call: Call): Promise<void> {
  const { callSid: tag, status } = call;
  if (status !== "in-progress" && isLive(status)) return;
  const who = leadOfCall(call.leads) ?? (await shownNumber(call.phoneNumber));
  if (status === "in-progress" && call.direction === "inbound") return;
  if (status === "in-progress")
    showNotice({ about: "call-answered", title: `${who} answered`, body: "The call is on.", tag });
  else showNotice({ about: "call-ended", title: `Call with ${who} ended`, body: callEndedSentence(call), tag });
}

const shownNumber = (phoneNumber: string): Promise<string> =>
  loadFormat().then(
    (format) => format(phoneNumber),
    () => phoneNumber,
  );
