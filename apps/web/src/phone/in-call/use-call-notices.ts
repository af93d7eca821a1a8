import { isLive } from "@leadline/contract/call-state";
import type { Call } from "@leadline/contract/calls";
import { useEffect } from "react";
import { callEndedSentence } from "../../components/call-ended-sentence.ts";
import { formatPhoneNumber } from "../../components/format-phone-number.ts";
import { leadOfCall } from "../../components/lead-names.ts";
import { showNotice } from "../../data/show-notice.ts";

/** Tells somebody who works in another window that their call was answered, or is over. */
export function useCallNotices(call: Call | null): void {
  const status = call?.status ?? null;
  useEffect(() => {
    if (call === null || status === null) return;
    const who = leadOfCall(call.leads) ?? formatPhoneNumber(call.phoneNumber);
    const tag = call.callSid;
    if (status === "in-progress")
      showNotice({ about: "call-answered", title: `${who} answered`, body: "The call is on.", tag });
    else if (!isLive(status))
      showNotice({ about: "call-ended", title: `Call with ${who} ended`, body: callEndedSentence(call), tag });
    // oxlint-disable-next-line react/exhaustive-deps -- once a status, whatever else of the call changes meanwhile
  }, [call?.callSid, status]);
}
