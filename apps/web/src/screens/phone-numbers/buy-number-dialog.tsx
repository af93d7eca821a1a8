import { countryName } from "@leadline/contract/countries";
import { type NumberRequirement, orderNumber } from "@leadline/contract/number-orders";
import { type AvailableNumber, buyPhoneNumber, type NumberSeller } from "@leadline/contract/phone-numbers";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { toast } from "sonner";
import { formatMicros } from "../../components/format-money.ts";
import { formatPhoneNumber } from "../../components/format-phone-number.ts";
import { usePasswordConfirmation } from "../../components/use-password-confirmation.tsx";
import { request } from "../../data/api-client.ts";
import { billingSummaryQuery } from "../../data/billing-query.ts";
import { numberRequirementsQuery, phoneNumbersKey } from "../../data/phone-numbers-query.ts";
import { ProblemError, problemDetail } from "../../data/problem-error.ts";
import { queryClient } from "../../data/query-client.ts";
import { newIdempotencyKey } from "../../data/idempotency-key.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Notice } from "../../ui/notice.tsx";
import { placeOf } from "./available-numbers-table.tsx";
import { capabilitiesLabel } from "./capability-icons.tsx";
import { useCarrierElsewhere } from "./use-carrier-elsewhere.ts";

interface BuyNumberDialogProps {
  offered: AvailableNumber;
  seller: NumberSeller;
  countryCode: string;
  onClose: () => void;
}

export function BuyNumberDialog({ offered, seller, countryCode, onClose }: BuyNumberDialogProps) {
  const navigate = useNavigate();
  const number = formatPhoneNumber(offered.number);
  const otherCarrier = useCarrierElsewhere(seller);
  const { accountId } = seller;
  const isPrepaid = useQuery(billingSummaryQuery).data?.mode === "prepaid";
  const requirements = useQuery({
    ...numberRequirementsQuery(accountId ?? "", { countryCode, number: offered.number }),
    enabled: accountId !== null,
  });
  const missing = requirements.data?.filter(({ met }) => !met) ?? [];
  // One per dialog, so that a retry after a lost response buys nothing twice.
  const [idempotencyKey] = useState(newIdempotencyKey);
  const { confirmed, dialog } = usePasswordConfirmation();
  const buying = useMutation({
    mutationFn: () =>
      confirmed(async (currentPassword): Promise<boolean> => {
        const headers = { "idempotency-key": idempotencyKey };
        const wish = { number: offered.number, currentPassword };
        if (accountId === null) {
          await request(buyPhoneNumber, { body: wish, headers });
          return true;
        }
        const order = await request(orderNumber, { body: { ...wish, accountId, countryCode }, headers });
        return order.state === "bought";
      }),
    onSuccess: async (isBought) => {
      await navigate({ to: "/settings/phone-numbers" });
      if (!isBought) toast.success(`${number} is on order at ${seller.name}.`);
      else if (otherCarrier === null) toast.success(`${number} is now yours.`);
      else if (accountId === null)
        toast.success(`${number} is now yours in the sandbox. ${otherCarrier} doesn’t use it.`);
      else toast.success(`${number} is now yours at ${seller.name}. Calls out go through ${otherCarrier}.`);
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: phoneNumbersKey }),
  });
  const taken = buying.error instanceof ProblemError && buying.error.code === "number-taken";
  return (
    <>
      <Dialog
        open
        onOpenChange={onClose}
        title={`Buy ${number}?`}
        footer={
          <>
            <Button tone="quiet" onClick={onClose}>
              {taken ? "Choose another" : "Cancel"}
            </Button>
            {taken || missing.length > 0 ? null : (
              <Button
                disabled={accountId !== null && requirements.isPending}
                busy={buying.isPending}
                onClick={() => buying.mutate()}
              >
                Buy number
              </Button>
            )}
          </>
        }
      >
        <div className="flex flex-col gap-4">
          {missing.map(({ sentence }) => (
            <Notice key={sentence}>{sentence}</Notice>
          ))}
          {buying.isError ? <Notice>{problemDetail(buying.error)}</Notice> : null}
          <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2 text-sm">
            <Fact name="Monthly fee">
              <span className="font-semibold tabular-nums">{formatMicros(offered.monthlyCost)}</span>
              <span className="block text-table text-ink-soft">{feeWords({ seller, isPrepaid })}</span>
            </Fact>
            {offered.upfrontCost === undefined ? null : (
              <Fact name="One-time fee">
                <span className="font-semibold tabular-nums">{formatMicros(offered.upfrontCost)}</span>
              </Fact>
            )}
            <Fact name="Place">
              {placeOf(offered)}, {countryName(countryCode)}
            </Fact>
            <Fact name="Capabilities">{capabilitiesLabel(offered.capabilities)}</Fact>
            <Fact name="Requirement">
              {accountId !== null && requirements.isPending
                ? `Asking ${seller.name}…`
                : (requirementOf(offered, requirements.data ?? []) ??
                  (otherCarrier === null ? "None. You can use it right away." : "None."))}
            </Fact>
            {otherCarrier === null || accountId !== null ? null : (
              <Fact name="Used">Not used: your calls go through {otherCarrier}.</Fact>
            )}
          </dl>
        </div>
      </Dialog>
      {dialog}
    </>
  );
}

function feeWords({ seller, isPrepaid }: { seller: NumberSeller; isPrepaid: boolean }): string {
  if (seller.accountId !== null)
    return `${seller.isSandbox ? "The number and its fee aren’t real." : `${seller.name} bills you for it.`} Your Leadline balance isn’t charged.`;
  if (isPrepaid) return "The number isn’t real. Your balance is charged now and each month.";
  return "The number and its fee aren’t real. Your balance isn’t charged.";
}

/** Unmet requirements have their own notice. */
function requirementOf(offered: AvailableNumber, asked: readonly NumberRequirement[]): string | null {
  const sentences = asked.filter(({ met }) => met).map(({ sentence }) => sentence);
  const all = [...(offered.requirement === null ? [] : [offered.requirement]), ...sentences];
  if (all.length > 0) return all.join(" ");
  return asked.length > 0 ? "Not met yet." : null;
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-ink-soft">{name}</dt>
      <dd className="text-pretty">{children}</dd>
    </>
  );
}
