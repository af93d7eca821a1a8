import { isUnderWay } from "@leadline/contract/call-transfer";
import { X } from "lucide-react";
import { transferSentence } from "../../components/transfer-label.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { waitingLabel } from "../call/phone-state.ts";
import { useNumberFormat } from "../numbers/use-formatted-number.ts";
import { ActionButton } from "../second-line/action-button.tsx";
import { usePhone, usePhoneState } from "../phone-context.ts";

/** The progress of the call's transfer, and why it failed until that is dismissed. */
export function TransferNote({ className }: { className?: string }) {
  const phone = usePhone();
  const { call, transferRead } = usePhoneState();
  const transfer = call?.status === "in-progress" ? call.transfer : null;
  const format = useNumberFormat({ needed: transfer !== null && transfer !== undefined });
  // The person who took the call was told when it rang.
  const isOurs = transfer?.status === "taken" && transfer.member?.userId === call?.userId;
  if (!transfer || transferRead || isOurs) return null;
  return (
    <Notice
      tone={transfer.status === "refused" ? "fault" : "brass"}
      {...(className !== undefined && { className })}
      action={
        isUnderWay(transfer) ? (
          transfer.member && (
            <ActionButton tone="plain" size="small" className="-my-1.5 -mr-2" action={phone.takeBack}>
              Take back
            </ActionButton>
          )
        ) : (
          <IconButton label="Dismiss" size="small" className="-my-1.5 -mr-2" onClick={phone.readTransfer}>
            <X />
          </IconButton>
        )
      }
    >
      {isUnderWay(transfer) && call?.waitsFor ? waitingLabel(call.waitsFor) : transferSentence(transfer, format)}
    </Notice>
  );
}
