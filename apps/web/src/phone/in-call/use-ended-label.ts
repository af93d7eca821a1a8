import { isLive } from "@leadline/contract/call-state";
import { callEndedSentence } from "../../components/call-ended-sentence.ts";
import { transferredTo } from "../../components/transfer-label.ts";
import { useNumberFormat } from "../numbers/use-formatted-number.ts";
import { usePhoneState } from "../phone-context.ts";
import { useWho } from "../second-line/use-who.ts";

/** How the last call ended; for a conference that was left, that it continues. */
export function useEndedLabel(): string {
  const { call, leftConference } = usePhoneState();
  const format = useNumberFormat({ needed: call?.transfer != null });
  const nameOf = useWho();
  if (!call) return "";
  // After the transfer they continue without us, so here they are over immediately.
  const goOn = isLive(call.status) || call.cause?.reason === "transferred";
  if (call.transfer && leftConference.includes(call.callSid) && goOn)
    return `You left. ${nameOf(call)} and ${transferredTo(call.transfer, format)} are still talking.`;
  return callEndedSentence(call, format);
}
