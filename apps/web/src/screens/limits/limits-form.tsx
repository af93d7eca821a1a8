import { zodResolver } from "@hookform/resolvers/zod";
import { centMicros, type Limits, updateLimits, UpdateLimitsInput } from "@leadline/contract/limits";
import { Controller, useForm } from "react-hook-form";
import { toast } from "sonner";
import { SaveChanges, SettingsForm } from "../../components/settings-form.tsx";
import { DollarInput } from "../../components/dollar-input.tsx";
import { formatCost } from "../../components/format-money.ts";
import { focusFirstInvalid, showProblemInForm } from "../../components/show-problem-in-form.ts";
import { request } from "../../data/api-client.ts";
import { limitsQuery } from "../../data/limits-query.ts";
import { queryClient } from "../../data/query-client.ts";
import { Field } from "../../ui/field.tsx";
import { NumberInput } from "../../ui/input.tsx";
import { AllowedCountriesField } from "./allowed-countries-field.tsx";

const valuesOf = ({ used: _used, ...values }: Limits) => values;

export function LimitsForm({ limits, mayChange }: { limits: Limits; mayChange: boolean }) {
  const form = useForm({
    shouldFocusError: false,
    resolver: zodResolver(UpdateLimitsInput),
    disabled: !mayChange,
    values: valuesOf(limits),
    // Else somebody else's change would answer a standing question to leave.
    resetOptions: { keepDirtyValues: true, keepDirty: true },
  });
  const { errors } = form.formState;
  const { used } = limits;

  const submit = form.handleSubmit(async (change) => {
    try {
      const changed = await request(updateLimits, { body: change });
      queryClient.setQueryData(limitsQuery.queryKey, changed);
      // Else 1e3 would stand there until the next visit: a reset leaves what is typed where it means the same number.
      form.setValue("concurrentCalls", changed.concurrentCalls);
      form.setValue("callsPerMinute", changed.callsPerMinute);
      form.setValue("callMinutes", changed.callMinutes);
      form.reset(valuesOf(changed));
      toast.success("Limits saved.");
    } catch (error) {
      showProblemInForm(form, error, {
        fields: ["allowedCountries", "concurrentCalls", "callsPerMinute", "dailySpend", "callMinutes"],
      });
    }
  }, focusFirstInvalid);

  return (
    <SettingsForm
      state={form.formState}
      onSubmit={submit}
      whoMayChange={mayChange ? null : "Only an admin or owner can change the limits."}
    >
      <Controller
        control={form.control}
        name="allowedCountries"
        render={({ field }) => (
          <AllowedCountriesField
            value={field.value ?? []}
            onChange={field.onChange}
            disabled={!mayChange}
            message={errors.allowedCountries?.message}
          />
        )}
      />
      <Field
        label="Simultaneous calls"
        help={`${used.concurrentCalls} now, across all members.`}
        message={errors.concurrentCalls?.message}
      >
        {(control) => (
          <NumberInput min={1} max={1000} {...control} {...form.register("concurrentCalls", { valueAsNumber: true })} />
        )}
      </Field>
      <Field
        label="Calls per minute"
        help={`${used.callsPerMinute} in the last minute. Calls over the limit are refused.`}
        message={errors.callsPerMinute?.message}
      >
        {(control) => (
          <NumberInput min={1} max={1000} {...control} {...form.register("callsPerMinute", { valueAsNumber: true })} />
        )}
      </Field>
      <Field
        label="Spending per day"
        help={`${formatCost(used.dailySpend)} today, in your organisation’s time zone. Calls count at their carrier’s rates. Sandbox prices are made up. $0 blocks all calls. A call that reaches the limit ends after a two-minute warning, if there is time.`}
        message={errors.dailySpend?.message}
      >
        {(control) => (
          <Controller
            control={form.control}
            name="dailySpend"
            render={({ field }) => (
              <DollarInput
                {...control}
                key={limits.dailySpend}
                micros={field.value ?? 0}
                stepMicros={centMicros}
                onMicros={field.onChange}
                disabled={!mayChange}
              />
            )}
          />
        )}
      </Field>
      <Field
        label="Maximum call length"
        help="In minutes, from the answer. You’re warned two minutes before the call ends."
        message={errors.callMinutes?.message}
      >
        {(control) => (
          <NumberInput min={1} max={1440} {...control} {...form.register("callMinutes", { valueAsNumber: true })} />
        )}
      </Field>
      {mayChange ? <SaveChanges state={form.formState} /> : null}
    </SettingsForm>
  );
}
