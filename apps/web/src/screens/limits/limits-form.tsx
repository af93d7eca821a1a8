import { zodResolver } from "@hookform/resolvers/zod";
import { centMicros, type Limits, rateStepMicros, updateLimits, UpdateLimitsInput } from "@leadline/contract/limits";
import { Controller, useForm, type UseFormReturn } from "react-hook-form";
import { toast } from "sonner";
import type { z } from "zod";
import { SaveChanges, SettingsForm } from "../../components/settings-form.tsx";
import { DollarInput } from "../../components/dollar-input.tsx";
import { formatCost } from "../../components/format-money.ts";
import { focusFirstInvalid, showProblemInForm } from "../../components/show-problem-in-form.ts";
import { usePasswordConfirmation } from "../../components/use-password-confirmation.tsx";
import { request } from "../../data/api-client.ts";
import { limitsQuery } from "../../data/limits-query.ts";
import { queryClient } from "../../data/query-client.ts";
import { Field } from "../../ui/field.tsx";
import { NumberInput } from "../../ui/input.tsx";
import { Notice } from "../../ui/notice.tsx";
import { AllowedCountriesField } from "./allowed-countries-field.tsx";
import { BlockedPrefixesField, prefixesOf, PrefixesInput } from "./blocked-prefixes-field.tsx";

const FormInput = UpdateLimitsInput.extend({ blockedPrefixes: PrefixesInput });
/** Whose refusals the forms show at the field. */
export const limitFields = [
  "allowedCountries",
  "blockedPrefixes",
  "concurrentCalls",
  "callsPerMinute",
  "dailySpend",
  "ratePerMinute",
  "callMinutes",
] as const;
const valuesOf = ({ used: _used, own: _own, dailySpendIsDefault: _default, ...values }: Limits) => ({
  ...values,
  blockedPrefixes: prefixesOf(values.blockedPrefixes),
});

export function LimitsForm({ limits }: { limits: Limits }) {
  const form = useForm<Values, unknown, z.output<typeof FormInput>>({
    shouldFocusError: false,
    resolver: zodResolver(FormInput),
    values: valuesOf(limits),
    // Otherwise another user's change would answer an open question to leave.
    resetOptions: { keepDirtyValues: true, keepDirty: true },
  });
  const { errors, dirtyFields } = form.formState;
  const { used } = limits;
  const { confirmed, dialog } = usePasswordConfirmation();

  const submit = form.handleSubmit(async (values, event) => {
    // Only changed values: sending the default daily limit would set it, and so refuse calls without a known price.
    const change = Object.fromEntries(Object.entries(values).filter(([name]) => name in dirtyFields));
    try {
      const changed = await confirmed((currentPassword) =>
        request(updateLimits, { body: { ...change, currentPassword } }),
      );
      queryClient.setQueryData(limitsQuery.queryKey, changed);
      // Otherwise 1e3 would stay in the field, because a reset keeps text with the same numeric value.
      form.setValue("concurrentCalls", changed.concurrentCalls);
      form.setValue("callsPerMinute", changed.callsPerMinute);
      form.setValue("callMinutes", changed.callMinutes);
      form.reset(valuesOf(changed));
      toast.success("Limits saved.");
    } catch (error) {
      showProblemInForm(form, error, { event, fields: limitFields });
    }
  }, focusFirstInvalid);

  return (
    <>
      <SettingsForm state={form.formState} onSubmit={submit} whoMayChange={null}>
        <Destinations form={form} />
        <Field
          label="Simultaneous calls"
          help={`${used.concurrentCalls} now, across all members.`}
          message={errors.concurrentCalls?.message}
        >
          {(control) => (
            <NumberInput
              min={1}
              max={1000}
              {...control}
              {...form.register("concurrentCalls", { valueAsNumber: true })}
            />
          )}
        </Field>
        <Field
          label="Calls per minute"
          help={`${used.callsPerMinute} in the last minute. Calls over the limit are refused.`}
          message={errors.callsPerMinute?.message}
        >
          {(control) => (
            <NumberInput
              min={1}
              max={1000}
              {...control}
              {...form.register("callsPerMinute", { valueAsNumber: true })}
            />
          )}
        </Field>
        <Money form={form} limits={limits} />
        <Field
          label="Maximum call length"
          help="In minutes, from the answer. You’re warned two minutes before the call ends."
          message={errors.callMinutes?.message}
        >
          {(control) => (
            <NumberInput min={1} max={1440} {...control} {...form.register("callMinutes", { valueAsNumber: true })} />
          )}
        </Field>
        <SaveChanges state={form.formState} />
      </SettingsForm>
      {dialog}
    </>
  );
}

type Values = z.input<typeof FormInput>;
interface PartProps {
  form: UseFormReturn<Values, unknown, z.output<typeof FormInput>>;
}

function Destinations({ form: { control, formState } }: PartProps) {
  const { errors } = formState;
  return (
    <>
      <Controller
        control={control}
        name="allowedCountries"
        render={({ field }) => (
          <AllowedCountriesField
            value={field.value ?? []}
            onChange={field.onChange}
            message={errors.allowedCountries?.message}
            help="You can call these countries only. Premium-rate, shared-cost and satellite numbers are always blocked."
          />
        )}
      />
      <Controller
        control={control}
        name="blockedPrefixes"
        render={({ field }) => (
          <BlockedPrefixesField
            value={field.value}
            onChange={field.onChange}
            message={errors.blockedPrefixes?.message}
            help="Numbers that start with one of these aren’t called, even in an allowed country."
          />
        )}
      />
    </>
  );
}

function Money({ form: { control, formState }, limits }: PartProps & { limits: Limits }) {
  const { errors } = formState;
  return (
    <>
      <Field
        label="Spending per day"
        help={`${formatCost(limits.used.dailySpend)} today, in your organisation’s time zone. ${unpricedHelp(limits)} $0 blocks all calls. A call that reaches the limit ends after a two-minute warning, if there is time.`}
        message={errors.dailySpend?.message}
      >
        {(ids) => (
          <Controller
            control={control}
            name="dailySpend"
            render={({ field }) => (
              <DollarInput
                {...ids}
                key={limits.dailySpend}
                micros={field.value ?? 0}
                stepMicros={centMicros}
                onMicros={field.onChange}
              />
            )}
          />
        )}
      </Field>
      <Unpriced limits={limits} />
      <Field
        label="Highest price per minute"
        help="Calls whose first minute costs more, with the connection fee, are refused, and calls whose price isn’t known. Leave it empty to allow any price."
        message={errors.ratePerMinute?.message}
      >
        {(ids) => (
          <Controller
            control={control}
            name="ratePerMinute"
            render={({ field }) => (
              <DollarInput
                {...ids}
                key={limits.ratePerMinute}
                micros={field.value ?? NaN}
                stepMicros={rateStepMicros}
                onMicros={(micros, { isEmpty }) => field.onChange(isEmpty ? null : micros)}
              />
            )}
          />
        )}
      </Field>
    </>
  );
}

const unpricedHelp = ({ dailySpendIsDefault }: Limits): string =>
  dailySpendIsDefault
    ? "Calls without a known price count as $0 until you change this limit, and are refused after that."
    : "Calls without a known price are refused, because they can’t be counted.";

function Unpriced({ limits: { used, dailySpendIsDefault } }: { limits: Limits }) {
  const { unpricedCalls: calls } = used;
  if (calls === 0) return null;
  const counted =
    calls === 1
      ? "1 answered call today had no known price and counts"
      : `${calls.toLocaleString("en")} answered calls today had no known price and count`;
  return (
    <Notice tone="brass">
      {counted} as $0. Add rates under Settings, Carriers
      {dailySpendIsDefault ? ", or set a daily limit, which refuses such calls" : ": such calls are refused now"}.
    </Notice>
  );
}
