import { countryName } from "@leadline/contract/countries";
import { type AvailableNumber, buyPhoneNumber } from "@leadline/contract/phone-numbers";
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { toast } from "sonner";
import { formatMicros } from "../../components/format-money.ts";
import { formatPhoneNumber } from "../../components/format-phone-number.ts";
import { request } from "../../data/api-client.ts";
import { phoneNumbersKey } from "../../data/phone-numbers-query.ts";
import { ProblemError, problemDetail } from "../../data/problem-error.ts";
import { queryClient } from "../../data/query-client.ts";
import { newIdempotencyKey } from "../../data/idempotency-key.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Notice } from "../../ui/notice.tsx";
import { placeOf } from "./available-numbers-table.tsx";
import { capabilitiesInWords } from "./capability-icons.tsx";
import { useOtherCarrier } from "../../components/use-other-carrier.ts";

interface BuyNumberDialogProps {
  offered: AvailableNumber;
  countryCode: string;
  onClose: () => void;
}

export function BuyNumberDialog({ offered, countryCode, onClose }: BuyNumberDialogProps) {
  const navigate = useNavigate();
  const number = formatPhoneNumber(offered.number);
  const otherCarrier = useOtherCarrier();
  // One for the dialog: a second try after a lost answer buys nothing twice.
  const [idempotencyKey] = useState(newIdempotencyKey);
  const buying = useMutation({
    mutationFn: () =>
      request(buyPhoneNumber, {
        body: { number: offered.number },
        headers: { "idempotency-key": idempotencyKey },
      }),
    onSuccess: async () => {
      await navigate({ to: "/settings/phone-numbers" });
      toast.success(
        otherCarrier === null
          ? `${number} is now yours.`
          : `${number} is now yours in the sandbox. ${otherCarrier} doesn’t use it.`,
      );
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: phoneNumbersKey }),
  });
  const taken = buying.error instanceof ProblemError && buying.error.code === "number-taken";
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`Buy ${number}?`}
      footer={
        <>
          <Button tone="quiet" onClick={onClose}>
            {taken ? "Choose another" : "Cancel"}
          </Button>
          {taken ? null : (
            <Button busy={buying.isPending} onClick={() => buying.mutate()}>
              Buy number
            </Button>
          )}
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {buying.isError ? <Notice>{problemDetail(buying.error)}</Notice> : null}
        <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2 text-sm">
          <Fact name="Monthly fee">
            <span className="font-semibold tabular-nums">{formatMicros(offered.monthlyCost)}</span>
            <span className="block text-table text-ink-soft">
              The number and its fee aren’t real. Your balance isn’t charged.
            </span>
          </Fact>
          <Fact name="Place">
            {placeOf(offered)}, {countryName(countryCode)}
          </Fact>
          <Fact name="Capabilities">{capabilitiesInWords(offered.capabilities)}</Fact>
          <Fact name="Requirement">
            {offered.requirement ?? (otherCarrier === null ? "None. You can use it right away." : "None.")}
          </Fact>
          {otherCarrier === null ? null : <Fact name="Used">Not used: your calls go through {otherCarrier}.</Fact>}
        </dl>
      </div>
    </Dialog>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-ink-soft">{name}</dt>
      <dd className="text-pretty">{children}</dd>
    </>
  );
}
