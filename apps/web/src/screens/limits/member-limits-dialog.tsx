import { zodResolver } from "@hookform/resolvers/zod";
import {
  centMicros,
  type Limits,
  type MemberLimits,
  rateStepMicros,
  updateMemberLimits,
  UpdateMemberLimitsInput,
} from "@leadline/contract/limits";
import type { Member } from "@leadline/contract/members";
import { Controller, useForm, type UseFormReturn } from "react-hook-form";
import { toast } from "sonner";
import type { z } from "zod";
import { DollarInput } from "../../components/dollar-input.tsx";
import { FormDialog } from "../../components/form-dialog.tsx";
import { formatCost, formatExactCost } from "../../components/format-money.ts";
import { focusFirstInvalid, showProblemInForm } from "../../components/show-problem-in-form.ts";
import { usePasswordConfirmation } from "../../components/use-password-confirmation.tsx";
import { request } from "../../data/api-client.ts";
import { limitsQuery, memberLimitsQuery } from "../../data/limits-query.ts";
import { queryClient } from "../../data/query-client.ts";
import { Checkbox } from "../../ui/checkbox.tsx";
import { Field } from "../../ui/field.tsx";
import { NumberInput } from "../../ui/input.tsx";
import { AllowedCountriesField } from "./allowed-countries-field.tsx";
import { BlockedPrefixesField, prefixesOf, PrefixesInput } from "./blocked-prefixes-field.tsx";
import { limitFields } from "./limits-form.tsx";

interface MemberLimitsDialogProps {
  member: Member;
  own: MemberLimits;
  organisation: Limits;
  onClose: () => void;
}

const FormInput = UpdateMemberLimitsInput.extend({ blockedPrefixes: PrefixesInput });
type Values = z.input<typeof FormInput>;
type Form = UseFormReturn<Values, unknown, z.output<typeof FormInput>>;

export function MemberLimitsDialog({ member, own, organisation, onClose }: MemberLimitsDialogProps) {
  const { userId, firstName, lastName } = member;
  const form: Form = useForm<Values, unknown, z.output<typeof FormInput>>({
    shouldFocusError: false,
    resolver: zodResolver(FormInput),
    defaultValues: { ...own, blockedPrefixes: prefixesOf(own.blockedPrefixes) },
  });
  const { dirtyFields } = form.formState;
  const { confirmed, dialog } = usePasswordConfirmation();
  const submit = form.handleSubmit(async (values, event) => {
    // Only changed values: the organisation’s limits may be stricter than the member’s by now.
    const change = Object.fromEntries(Object.entries(values).filter(([name]) => name in dirtyFields));
    try {
      await confirmed((currentPassword) =>
        request(updateMemberLimits, { params: { userId }, body: { ...change, currentPassword } }),
      );
      await queryClient.invalidateQueries({ queryKey: memberLimitsQuery.queryKey });
      await queryClient.invalidateQueries({ queryKey: limitsQuery.queryKey });
      toast.success("Limits saved.");
      onClose();
    } catch (error) {
      showProblemInForm(form, error, { event, fields: limitFields });
    }
  }, focusFirstInvalid);
  return (
    <>
      <FormDialog
        title={`Limits of ${firstName} ${lastName}`}
        description="Leave a field empty to apply the organisation’s limit alone."
        save="Save changes"
        formState={form.formState}
        onSubmit={submit}
        onClose={onClose}
      >
        <Countries form={form} organisation={organisation} />
        <Controller
          control={form.control}
          name="blockedPrefixes"
          render={({ field, fieldState }) => (
            <BlockedPrefixesField
              value={field.value}
              onChange={field.onChange}
              message={fieldState.error?.message}
              help="In addition to the organisation’s."
            />
          )}
        />
        <WholeNumber form={form} name="concurrentCalls" label="Simultaneous calls" organisation={organisation} />
        <WholeNumber form={form} name="callsPerMinute" label="Calls per minute" organisation={organisation} />
        <Dollars form={form} name="dailySpend" label="Spending per day" organisation={organisation} />
        <Dollars form={form} name="ratePerMinute" label="Highest price per minute" organisation={organisation} />
        <WholeNumber form={form} name="callMinutes" label="Maximum call length" organisation={organisation} />
      </FormDialog>
      {dialog}
    </>
  );
}

function Countries({ form, organisation }: { form: Form; organisation: Limits }) {
  return (
    <Controller
      control={form.control}
      name="allowedCountries"
      render={({ field, fieldState }) => {
        const value = field.value ?? null;
        return (
          <div className="flex flex-col gap-3">
            <Checkbox
              label="All countries that the organisation allows"
              checked={value === null}
              onChange={(all) => field.onChange(all ? null : organisation.allowedCountries)}
            />
            {value === null ? null : (
              <AllowedCountriesField
                value={value}
                onChange={field.onChange}
                message={fieldState.error?.message}
                among={organisation.allowedCountries}
                help="This member can call these countries only."
              />
            )}
          </div>
        );
      }}
    />
  );
}

interface LimitFieldProps<Name extends keyof MemberLimits> {
  form: Form;
  name: Name;
  label: string;
  organisation: Limits;
}

/** Gets the field’s text, or the initial value. */
const toNumber = (value: string | null): number | null => (value === "" || value === null ? null : Number(value));

function WholeNumber(props: LimitFieldProps<"concurrentCalls" | "callsPerMinute" | "callMinutes">) {
  const { form, name, label, organisation } = props;
  const unit = name === "callMinutes" ? " minutes" : "";
  return (
    <Field
      label={label}
      help={`Organisation limit: ${organisation[name]}${unit}.`}
      message={form.formState.errors[name]?.message}
    >
      {(control) => <NumberInput min={1} {...control} {...form.register(name, { setValueAs: toNumber })} />}
    </Field>
  );
}

function Dollars({ form, name, label, organisation }: LimitFieldProps<"dailySpend" | "ratePerMinute">) {
  const micros = organisation[name];
  const isRate = name === "ratePerMinute";
  const shown = micros === null ? "any price" : isRate ? formatExactCost(micros) : formatCost(micros);
  return (
    <Field
      label={label}
      help={`Organisation limit: ${shown}.${isRate ? "" : " With a limit, calls without a known price are refused."}`}
      message={form.formState.errors[name]?.message}
    >
      {(ids) => (
        <Controller
          control={form.control}
          name={name}
          render={({ field }) => (
            <DollarInput
              {...ids}
              micros={field.value ?? NaN}
              stepMicros={isRate ? rateStepMicros : centMicros}
              onMicros={(typed, { isEmpty }) => field.onChange(isEmpty ? null : typed)}
            />
          )}
        />
      )}
    </Field>
  );
}
