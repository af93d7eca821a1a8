import { startTopUp, TopUpInput, topUpStepMicros } from "@leadline/contract/top-ups";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { DollarInput } from "../../components/dollar-input.tsx";
import { formatMicros } from "../../components/format-money.ts";
import { request } from "../../data/api-client.ts";
import { newIdempotencyKey } from "../../data/idempotency-key.ts";
import { problemDetail } from "../../data/problem-error.ts";
import { Button } from "../../ui/button.tsx";
import { Checkbox } from "../../ui/checkbox.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";

const offered = [10, 25, 50, 100].map((dollars) => dollars * 1_000_000);

interface TopUpDialogProps {
  provider: { name: string; isSandbox: boolean; canSaveMethod: boolean };
  onClose: () => void;
}

export function TopUpDialog({ provider, onClose }: TopUpDialogProps) {
  const [amountMicros, setAmountMicros] = useState(25_000_000);
  /** Increases with each press of a suggested amount, which the field then shows. */
  const [presses, setPresses] = useState(0);
  const [savesMethod, setSavesMethod] = useState(false);
  // One key per amount, so that a retry after a lost response starts nothing twice.
  const [keys] = useState(() => new Map<string, string>());
  const [wasTried, setWasTried] = useState(false);
  const checked = TopUpInput.safeParse({ amountMicros });
  const starting = useMutation({
    mutationFn: () => {
      const wish = `${amountMicros} ${savesMethod}`;
      const key = keys.get(wish) ?? newIdempotencyKey();
      keys.set(wish, key);
      return request(startTopUp, { body: { amountMicros, savesMethod }, headers: { "idempotency-key": key } });
    },
    onSuccess: ({ id, checkoutUrl }) => location.assign(checkoutUrl ?? `/settings/billing/top-ups/${id}`),
  });
  // Nothing can be pressed twice until the browser has left the page.
  const isLeaving = starting.isPending || starting.isSuccess;
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Top up"
      description={
        provider.isSandbox
          ? "This is for trying out: no money moves."
          : `You pay on ${provider.name}’s page. Your card details never reach this server.`
      }
      footer={
        <>
          <Button tone="quiet" disabled={isLeaving} onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form="top-up" busy={isLeaving}>
            Continue to payment
          </Button>
        </>
      }
    >
      <form
        id="top-up"
        noValidate
        className="flex flex-col gap-4 pt-1"
        onSubmit={(event) => {
          event.preventDefault();
          setWasTried(true);
          if (checked.success) starting.mutate();
        }}
      >
        {starting.isError ? <Notice>{problemDetail(starting.error)}</Notice> : null}
        {provider.isSandbox ? (
          <Notice tone="brass">{provider.name}: the balance is real to Leadline, the payment isn’t.</Notice>
        ) : null}
        <fieldset className="grid grid-cols-4 gap-2">
          <legend className="mb-1.5 text-sm font-medium">Amount</legend>
          {offered.map((micros) => (
            <Button
              key={micros}
              type="button"
              tone={micros === amountMicros ? "primary" : "plain"}
              aria-pressed={micros === amountMicros}
              className="base:px-2 max-md:h-11"
              onClick={() => {
                setAmountMicros(micros);
                setPresses(presses + 1);
              }}
            >
              {formatMicros(micros).replace(".00", "")}
            </Button>
          ))}
        </fieldset>
        <Field
          label="Other amount (US$)"
          help="From $5 to $1,000."
          message={wasTried && !checked.success ? checked.error.issues[0]?.message : undefined}
        >
          {(control) => (
            <DollarInput
              {...control}
              key={presses}
              micros={amountMicros}
              stepMicros={topUpStepMicros}
              onMicros={setAmountMicros}
            />
          )}
        </Field>
        {provider.canSaveMethod ? (
          <Checkbox
            label="Save the payment method for automatic top-ups"
            checked={savesMethod}
            onChange={setSavesMethod}
          />
        ) : null}
      </form>
    </Dialog>
  );
}
