import { usePhone, usePhoneState } from "../../phone/phone-provider.tsx";
import { CallLists } from "./log/call-lists.tsx";
import { BothCalls } from "./person/both-calls.tsx";
import { CallPanel } from "./person/call-panel.tsx";
import { EndedPair } from "./person/ended-pair.tsx";

/** Beside the phone: the call's person and notes until they are put away, the lists otherwise. A teammate needs no notes. */
export function CallContext({ onLeave }: { onLeave?: () => void }) {
  const phone = usePhone();
  const { phase, call, other, leftOther, dialled } = usePhoneState();
  const withNumber = [call, other, leftOther].filter((one) => one !== null && one.phoneNumber !== "");
  const shown = withNumber[0] ?? null;
  const phoneNumber = shown?.phoneNumber ?? (call ? "" : dialled);
  if (phase === "idle" || phoneNumber === "") return <CallLists onCall={onLeave} />;
  if (call && other && withNumber.includes(call) && withNumber.includes(other))
    return <BothCalls call={call} other={other} />;
  const done = () => {
    phone.dismiss();
    onLeave?.();
  };
  if (phase === "ended" && shown?.joinedWith) return <EndedPair call={shown} onDone={done} />;
  return (
    <CallPanel key={phoneNumber} phoneNumber={phoneNumber} call={shown} onDone={phase === "ended" ? done : undefined} />
  );
}
