import { zodResolver } from "@hookform/resolvers/zod";
import { type Rate, RateInput, saveRate } from "@leadline/contract/rates";
import { Controller, useForm } from "react-hook-form";
import { toast } from "sonner";
import { DollarInput } from "../../components/dollar-input.tsx";
import { FormDialog } from "../../components/form-dialog.tsx";
import { focusFirstInvalid, showProblemInForm } from "../../components/show-problem-in-form.ts";
import { usePasswordConfirmation } from "../../components/use-password-confirmation.tsx";
import { request } from "../../data/api-client.ts";
import { queryClient } from "../../data/query-client.ts";
import { ratesKey } from "../../data/rates-query.ts";
import { Field } from "../../ui/field.tsx";
import { Input } from "../../ui/input.tsx";

const fields = [
  "prefix",
  "description",
  "effectiveFrom",
  "perMinuteMicros",
  "connectionFeeMicros",
  "firstSeconds",
  "nextSeconds",
] as const;
const today = (): string => new Intl.DateTimeFormat("en-CA", { dateStyle: "short" }).format(new Date());

interface RateDialogProps {
  carrierId: string;
  /** Null for a new one. */
  rate: Rate | null;
  onClose: () => void;
}

/** A new rate, or a new price for a prefix. */
export function RateDialog({ carrierId, rate, onClose }: RateDialogProps) {
  const form = useForm({
    shouldFocusError: false,
    resolver: zodResolver(RateInput),
    defaultValues: {
      prefix: rate?.prefix ?? "",
      description: rate?.description ?? "",
      effectiveFrom: rate?.effectiveFrom ?? today(),
      perMinuteMicros: rate?.perMinuteMicros ?? Number.NaN,
      connectionFeeMicros: rate?.connectionFeeMicros ?? 0,
      firstSeconds: rate?.firstSeconds ?? 60,
      nextSeconds: rate?.nextSeconds ?? 60,
    },
  });
  const { confirmed, dialog } = usePasswordConfirmation();
  const { errors } = form.formState;
  const submit = form.handleSubmit(async (body, event) => {
    try {
      await confirmed((currentPassword) =>
        request(saveRate, { params: { id: carrierId }, body: { ...body, currentPassword } }),
      );
      await queryClient.invalidateQueries({ queryKey: ratesKey });
      toast.success("Rate saved.");
      onClose();
    } catch (error) {
      showProblemInForm(form, error, { event, fields });
    }
  }, focusFirstInvalid);
  const money = (name: "perMinuteMicros" | "connectionFeeMicros", label: string) => (
    <Field label={label} message={errors[name]?.message}>
      {(control) => (
        <Controller
          control={form.control}
          name={name}
          render={({ field }) => (
            <DollarInput
              {...control}
              name={name}
              micros={field.value}
              stepMicros={1}
              onMicros={field.onChange}
              onBlur={field.onBlur}
            />
          )}
        />
      )}
    </Field>
  );
  const seconds = (name: "firstSeconds" | "nextSeconds", label: string) => (
    <Field label={label} message={errors[name]?.message}>
      {(control) => (
        <Input
          type="number"
          inputMode="numeric"
          min={1}
          max={3600}
          className="max-w-32 tabular-nums"
          {...control}
          {...form.register(name, { valueAsNumber: true })}
        />
      )}
    </Field>
  );
  return (
    <>
      <FormDialog
        title={rate === null ? "Add a rate" : "Change the rate"}
        save="Save rate"
        formState={form.formState}
        onSubmit={submit}
        onClose={onClose}
      >
        <Field
          label="Prefix"
          help="The first digits of a number with its country code, such as 4930. Leave it empty for all numbers."
          message={errors.prefix?.message}
        >
          {(control) => (
            <Input
              inputMode="tel"
              autoComplete="off"
              readOnly={rate !== null}
              {...control}
              {...form.register("prefix")}
            />
          )}
        </Field>
        <Field label="Destination" optional message={errors.description?.message}>
          {(control) => <Input autoComplete="off" {...control} {...form.register("description")} />}
        </Field>
        <div className="grid grid-cols-2 gap-4">
          {money("perMinuteMicros", "Price per minute")}
          {money("connectionFeeMicros", "Connection fee")}
          {seconds("firstSeconds", "First seconds")}
          {seconds("nextSeconds", "Next seconds")}
        </div>
        <p className="text-table text-ink-soft">
          With 30 and 6, an answered call counts at least 30 seconds, then in steps of 6 seconds.
        </p>
        <Field label="Effective from" message={errors.effectiveFrom?.message}>
          {(control) => <Input type="date" {...control} {...form.register("effectiveFrom")} />}
        </Field>
      </FormDialog>
      {dialog}
    </>
  );
}
