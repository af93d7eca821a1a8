import { type PhoneNumber, releasePhoneNumber } from "@leadline/contract/phone-numbers";
import { useMutation } from "@tanstack/react-query";
import { toast } from "sonner";
import { formatPhoneNumber } from "../../components/format-phone-number.ts";
import { request } from "../../data/api-client.ts";
import { phoneNumbersKey } from "../../data/phone-numbers-query.ts";
import { problemDetail } from "../../data/problem-error.ts";
import { queryClient } from "../../data/query-client.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Notice } from "../../ui/notice.tsx";
import { useCarrierElsewhere } from "./use-carrier-elsewhere.ts";

interface ReleaseDialogProps {
  owned: PhoneNumber;
  isOnly: boolean;
  onClose: () => void;
}

export function ReleaseDialog({ owned, isOnly, onClose }: ReleaseDialogProps) {
  const number = formatPhoneNumber(owned.number);
  const otherCarrier = useCarrierElsewhere(owned);
  const releasing = useMutation({
    mutationFn: () => request(releasePhoneNumber, { params: { id: owned.id } }),
    onSuccess: () => {
      toast.success(`${number} released.`);
      onClose();
    },
    // Even if the carrier didn't respond: the number is already off the list.
    onSettled: () => queryClient.invalidateQueries({ queryKey: phoneNumbersKey }),
  });
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`Release ${number}?`}
      description="The number goes back to the carrier, and someone else may get it. You might not be able to get it back."
      footer={
        <>
          <Button tone="quiet" onClick={onClose}>
            {releasing.isError ? "Close" : "Keep it"}
          </Button>
          <Button tone="danger" busy={releasing.isPending} onClick={() => releasing.mutate()}>
            Release number
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3 text-sm">
        {owned.accountId === null ? null : (
          <p>Calls to it won’t ring here any more, and {owned.provider} stops billing it under its own terms.</p>
        )}
        {otherCarrier !== null ? (
          <p>Calls out go through {otherCarrier} and aren’t affected.</p>
        ) : owned.isCallerId ? (
          <p>
            This is your caller ID.{" "}
            {isOnly
              ? "You have no other number, so calls will go out without one."
              : "Calls will show your oldest number instead."}
          </p>
        ) : null}
        {releasing.isError ? <Notice>{problemDetail(releasing.error)}</Notice> : null}
      </div>
    </Dialog>
  );
}
