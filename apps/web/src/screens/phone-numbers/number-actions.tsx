import { type PhoneNumber, updatePhoneNumber } from "@leadline/contract/phone-numbers";
import { useMutation } from "@tanstack/react-query";
import { PhoneOutgoing, Tag, Trash2 } from "lucide-react";
import { useState } from "react";
import { toast } from "sonner";
import { formatPhoneNumber } from "../../components/format-phone-number.ts";
import type { RefusalHandlers } from "../../components/use-refusal.ts";
import { request } from "../../data/api-client.ts";
import { phoneNumbersKey } from "../../data/phone-numbers-query.ts";
import { queryClient } from "../../data/query-client.ts";
import { MenuItem, MenuSeparator } from "../../ui/menu.tsx";
import { RowMenu } from "../../ui/row-menu.tsx";
import { LabelDialog } from "./label-dialog.tsx";
import { ReleaseDialog } from "./release-dialog.tsx";
import { placeOfNumber, useCarrierElsewhere } from "./use-carrier-elsewhere.ts";

interface NumberActionsProps {
  owned: PhoneNumber;
  /** It is the organisation's only number with this carrier. */
  isOnly: boolean;
  refusalHandlers: RefusalHandlers;
}

export function NumberActions({ owned, isOnly, refusalHandlers }: NumberActionsProps) {
  const [dialog, setDialog] = useState<"label" | "release" | null>(null);
  const number = formatPhoneNumber(owned.number);
  const otherCarrier = useCarrierElsewhere(owned);
  const choosing = useMutation({
    mutationFn: () => request(updatePhoneNumber, { params: { id: owned.id }, body: { isCallerId: true } }),
    onSuccess: () => {
      toast.success(
        otherCarrier === null
          ? `People you call now see ${number}.`
          : `${number} is the caller ID ${placeOfNumber(owned)}. ${otherCarrier} doesn’t show it.`,
      );
      return queryClient.invalidateQueries({ queryKey: phoneNumbersKey });
    },
    ...refusalHandlers,
  });
  const close = () => setDialog(null);
  return (
    <>
      <RowMenu of={number} busy={choosing.isPending}>
        <MenuItem onSelect={() => setDialog("label")}>
          <Tag aria-hidden="true" /> Label…
        </MenuItem>
        <MenuItem disabled={owned.isCallerId} onSelect={() => choosing.mutate()}>
          <PhoneOutgoing aria-hidden="true" /> {owned.isCallerId ? "Current caller ID" : "Make caller ID"}
        </MenuItem>
        <MenuSeparator />
        <MenuItem className="text-fault" onSelect={() => setDialog("release")}>
          <Trash2 aria-hidden="true" /> Release…
        </MenuItem>
      </RowMenu>
      {dialog === "label" ? <LabelDialog owned={owned} onClose={close} /> : null}
      {dialog === "release" ? <ReleaseDialog owned={owned} isOnly={isOnly} onClose={close} /> : null}
    </>
  );
}
