import { zodResolver } from "@hookform/resolvers/zod";
import { BalanceSettingsInput, topUpStepMicros, updateBalanceSettings } from "@leadline/contract/top-ups";
import { Controller, useForm } from "react-hook-form";
import { toast } from "sonner";
import { DollarInput } from "../../components/dollar-input.tsx";
import { FormDialog } from "../../components/form-dialog.tsx";
import { focusFirstInvalid, showProblemInForm } from "../../components/show-problem-in-form.ts";
import { request } from "../../data/api-client.ts";
import { billingKey } from "../../data/billing-query.ts";
import { queryClient } from "../../data/query-client.ts";
import { Field } from "../../ui/field.tsx";

export function LowBalanceDialog({ belowMicros, onClose }: { belowMicros: number | null; onClose: () => void }) {
  const form = useForm({
    shouldFocusError: false,
    resolver: zodResolver(BalanceSettingsInput.pick({ lowBelowMicros: true })),
    defaultValues: { lowBelowMicros: belowMicros },
  });
  const submit = form.handleSubmit(async (body, event) => {
    try {
      await request(updateBalanceSettings, { body });
      await queryClient.invalidateQueries({ queryKey: billingKey });
      toast.success("Saved.");
      onClose();
    } catch (error) {
      showProblemInForm(form, error, { event, fields: ["lowBelowMicros"] });
    }
  }, focusFirstInvalid);
  return (
    <FormDialog
      title="Low-balance email"
      description="Owners are mailed once each time the balance falls below this amount."
      save="Save"
      formState={form.formState}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field
        label="Below (US$)"
        help="Leave it empty to send no email."
        message={form.formState.errors.lowBelowMicros?.message}
      >
        {(ids) => (
          <Controller
            control={form.control}
            name="lowBelowMicros"
            render={({ field }) => (
              <DollarInput
                {...ids}
                micros={field.value ?? NaN}
                stepMicros={topUpStepMicros}
                onMicros={(micros, { isEmpty }) => field.onChange(isEmpty ? null : micros)}
              />
            )}
          />
        )}
      </Field>
    </FormDialog>
  );
}
