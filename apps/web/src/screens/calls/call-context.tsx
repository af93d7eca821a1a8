import { usePhone, usePhoneState } from "../../phone/phone-context.ts";
import { CallLists } from "./log/call-lists.tsx";
import { BothCalls } from "./person/both-calls.tsx";
import { CallPanel } from "./person/call-panel.tsx";
import { EndedPair } from "./person/ended-pair.tsx";

/**
 * Next to the phone: the caller's details and notes until they are dismissed, otherwise the lists. Teammates need no
 * notes.
 */
export function CallContext({ onLeave }: { onLeave?: () => void }) {
  const phone = usePhone();
  const { phase, call, other, leftOther, partner, dialled } = usePhoneState();
  const withNumber = [call, other, leftOther].filter((one) => one !== null && one.phoneNumber !== "");
  const shown = withNumber[0] ?? null;
  const phoneNumber = shown?.phoneNumber ?? (call ? "" : dialled);
  if (phase === "idle" || phoneNumber === "") return <CallLists onCall={onLeave} />;
  const secondCall = other ?? partner;
  if (phase !== "ended" && call && secondCall && call.phoneNumber !== "" && secondCall.phoneNumber !== "")
    return <BothCalls call={call} other={secondCall} />;
  const done = () => {
    phone.dismiss();
    onLeave?.();
  };
  if (phase === "ended" && shown && partner && partner.phoneNumber !== "" && partner.callSid !== shown.callSid)
    return <BothCalls call={shown} other={partner} onDone={done} />;
  if (phase === "ended" && shown?.joinedWith) return <EndedPair call={shown} onDone={done} />;
  return (
    <CallPanel key={phoneNumber} phoneNumber={phoneNumber} call={shown} onDone={phase === "ended" ? done : undefined} />
  );
}
