import { zodResolver } from "@hookform/resolvers/zod";
import {
  type BalanceSettings,
  BalanceSettingsInput,
  topUpStepMicros,
  updateBalanceSettings,
} from "@leadline/contract/top-ups";
import { Controller, useForm } from "react-hook-form";
import { toast } from "sonner";
import { DollarInput } from "../../components/dollar-input.tsx";
import { FormDialog } from "../../components/form-dialog.tsx";
import { focusFirstInvalid, showProblemInForm } from "../../components/show-problem-in-form.ts";
import { usePasswordConfirmation } from "../../components/use-password-confirmation.tsx";
import { request } from "../../data/api-client.ts";
import { billingKey } from "../../data/billing-query.ts";
import { queryClient } from "../../data/query-client.ts";
import { Field } from "../../ui/field.tsx";

const defaults = { belowMicros: 10_000_000, amountMicros: 50_000_000, monthLimitMicros: 200_000_000 };
const Automatic = BalanceSettingsInput.shape.automatic.unwrap().unwrap();

const fields = [
  { name: "belowMicros", label: "When the balance falls below (US$)", help: "Less what is held for calls under way." },
  { name: "amountMicros", label: "Add (US$)", help: "From $5 to $1,000." },
  {
    name: "monthLimitMicros",
    label: "At most in a month (US$)",
    help: "Of automatic top-ups, in a calendar month in UTC. Nothing is added above it.",
  },
] as const;

interface AutomaticTopUpDialogProps {
  settings: BalanceSettings;
  onClose: () => void;
}

export function AutomaticTopUpDialog({ settings, onClose }: AutomaticTopUpDialogProps) {
  const form = useForm({
    shouldFocusError: false,
    resolver: zodResolver(Automatic),
    defaultValues: settings.automatic ?? defaults,
  });
  const { confirmed, dialog } = usePasswordConfirmation();
  const submit = form.handleSubmit(async (automatic, event) => {
    try {
      await confirmed((currentPassword) => request(updateBalanceSettings, { body: { automatic, currentPassword } }));
      await queryClient.invalidateQueries({ queryKey: billingKey });
      toast.success("Automatic top-up is on.");
      onClose();
    } catch (error) {
      showProblemInForm(form, error, { event, fields: fields.map(({ name }) => name) });
    }
  }, focusFirstInvalid);
  return (
    <>
      <FormDialog
        title="Automatic top-up"
        description={`${settings.savedMethod ?? "The saved payment method"} is charged without asking. If it is declined, automatic top-ups pause and owners are mailed.`}
        save="Save"
        formState={form.formState}
        onSubmit={submit}
        onClose={onClose}
      >
        {fields.map(({ name, label, help }) => (
          <Field key={name} label={label} help={help} message={form.formState.errors[name]?.message}>
            {(ids) => (
              <Controller
                control={form.control}
                name={name}
                render={({ field }) => (
                  <DollarInput
                    {...ids}
                    micros={field.value}
                    stepMicros={topUpStepMicros}
                    onMicros={(micros) => field.onChange(micros)}
                  />
                )}
              />
            )}
          </Field>
        ))}
      </FormDialog>
      {dialog}
    </>
  );
}
