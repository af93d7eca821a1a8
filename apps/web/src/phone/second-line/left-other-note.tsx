import type { Call } from "@leadline/contract/calls";
import { X } from "lucide-react";
import { callEndedSentence } from "../../components/call-ended-sentence.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { usePhone, usePhoneState } from "../phone-context.ts";
import { useWho } from "./use-who.ts";

/** The one who hung up knows already. */
const isTold = ({ cause }: Call): boolean =>
  cause !== null && cause.reason !== "hung-up-here" && cause.reason !== "canceled";

/** Why the second line has ended, until that is dismissed. */
export function LeftOtherNote({ className }: { className?: string }) {
  const phone = usePhone();
  const nameOf = useWho();
  const { call, leftOther, transferRead } = usePhoneState();
  if (!call || !leftOther || !isTold(leftOther)) return null;
  // It was a transfer, and the note about that says why it failed.
  if (!transferRead && call.transfer?.status === "refused" && call.transfer.phoneNumber === leftOther.phoneNumber)
    return null;
  return (
    <Notice
      tone="brass"
      {...(className !== undefined && { className })}
      action={
        <IconButton label="Dismiss" size="small" className="-my-1.5 -mr-2" onClick={phone.readLeftOther}>
          <X />
        </IconButton>
      }
    >
      {`${nameOf(leftOther)}: ${callEndedSentence(leftOther)} You’re talking to ${nameOf(call)}.`}
    </Notice>
  );
}
