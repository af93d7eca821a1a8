import { zodResolver } from "@hookform/resolvers/zod";
import { startTopUp, TopUpInput, topUpStepMicros } from "@leadline/contract/top-ups";
import { useEffect, useState } from "react";
import { useForm, useWatch } from "react-hook-form";
import { DollarInput } from "../../components/dollar-input.tsx";
import { FormDialog } from "../../components/form-dialog.tsx";
import { formatMicros } from "../../components/format-money.ts";
import { focusFirstInvalid, showProblemInForm } from "../../components/show-problem-in-form.ts";
import { request } from "../../data/api-client.ts";
import { newIdempotencyKey } from "../../data/idempotency-key.ts";
import { Button } from "../../ui/button.tsx";
import { Checkbox } from "../../ui/checkbox.tsx";
import { Field } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";

const offered = [10, 25, 50, 100].map((dollars) => dollars * 1_000_000);

interface TopUpDialogProps {
  provider: { name: string; isSandbox: boolean; canSaveMethod: boolean };
  onClose: () => void;
}

export function TopUpDialog({ provider, onClose }: TopUpDialogProps) {
  const form = useForm({
    shouldFocusError: false,
    resolver: zodResolver(TopUpInput),
    defaultValues: { amountMicros: 25_000_000, savesMethod: false },
  });
  const [amountMicros, savesMethod = false] = useWatch({
    control: form.control,
    name: ["amountMicros", "savesMethod"],
  });
  const choose = (micros: number) =>
    form.setValue("amountMicros", micros, { shouldDirty: true, shouldValidate: form.formState.isSubmitted });
  /** Increases with each press of a suggested amount, which the field then shows. */
  const [presses, setPresses] = useState(0);
  // One key per amount, so that a retry after a lost response starts nothing twice.
  const [keys] = useState(() => new Map<string, string>());
  const [checkout, setCheckout] = useState<string | null>(null);
  // In an effect: by then the form no longer asks before the page is left.
  useEffect(() => {
    if (checkout !== null) location.assign(checkout);
  }, [checkout]);
  const submit = form.handleSubmit(async (body, event) => {
    const wish = `${body.amountMicros} ${body.savesMethod}`;
    const key = keys.get(wish) ?? newIdempotencyKey();
    keys.set(wish, key);
    try {
      const { id, checkoutUrl } = await request(startTopUp, { body, headers: { "idempotency-key": key } });
      setCheckout(checkoutUrl ?? `/settings/billing/top-ups/${id}`);
    } catch (error) {
      showProblemInForm(form, error, { event, fields: ["amountMicros"] });
    }
  }, focusFirstInvalid);
  return (
    <FormDialog
      title="Top up"
      description={
        provider.isSandbox
          ? "This is for trying out: no money moves."
          : `You pay on ${provider.name}’s page. Your card details never reach this server.`
      }
      save="Continue to payment"
      formState={form.formState}
      goesElsewhere={checkout !== null}
      onSubmit={submit}
      onClose={onClose}
    >
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
              choose(micros);
              setPresses(presses + 1);
            }}
          >
            {formatMicros(micros).replace(".00", "")}
          </Button>
        ))}
      </fieldset>
      <Field label="Other amount (US$)" help="From $5 to $1,000." message={form.formState.errors.amountMicros?.message}>
        {(control) => (
          <DollarInput
            {...control}
            key={presses}
            micros={amountMicros}
            stepMicros={topUpStepMicros}
            onMicros={choose}
          />
        )}
      </Field>
      {provider.canSaveMethod ? (
        <Checkbox
          label="Save the payment method for automatic top-ups"
          checked={savesMethod}
          onChange={(saves) => form.setValue("savesMethod", saves, { shouldDirty: true })}
        />
      ) : null}
    </FormDialog>
  );
}
