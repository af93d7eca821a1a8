import { zodResolver } from "@hookform/resolvers/zod";
import { type PhoneNumber, updatePhoneNumber, UpdatePhoneNumberInput } from "@leadline/contract/phone-numbers";
import { useForm } from "react-hook-form";
import { toast } from "sonner";
import { FormDialog } from "../../components/form-dialog.tsx";
import { formatPhoneNumber } from "../../components/format-phone-number.ts";
import { focusFirstInvalid, showProblemInForm } from "../../components/show-problem-in-form.ts";
import { request } from "../../data/api-client.ts";
import { phoneNumbersKey } from "../../data/phone-numbers-query.ts";
import { queryClient } from "../../data/query-client.ts";
import { Field } from "../../ui/field.tsx";
import { Input } from "../../ui/input.tsx";

const LabelInput = UpdatePhoneNumberInput.pick({ label: true });

export function LabelDialog({ owned, onClose }: { owned: PhoneNumber; onClose: () => void }) {
  const number = formatPhoneNumber(owned.number);
  const form = useForm({ resolver: zodResolver(LabelInput), defaultValues: { label: owned.label ?? "" } });
  const { errors } = form.formState;

  const submit = form.handleSubmit(async ({ label }, event) => {
    try {
      await request(updatePhoneNumber, { params: { id: owned.id }, body: { label: label ?? null } });
      await queryClient.invalidateQueries({ queryKey: phoneNumbersKey });
      toast.success(label ? `${number} is now labelled “${label}”.` : `Label removed from ${number}.`);
      onClose();
    } catch (error) {
      showProblemInForm(form, error, { event, fields: ["label"] });
    }
  }, focusFirstInvalid);

  return (
    <FormDialog
      title={`Label ${number}`}
      save="Save label"
      formState={form.formState}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field
        label="Label"
        optional
        help="What the number is for. Only your organisation sees it."
        message={errors.label?.message}
      >
        {(control) => <Input autoComplete="off" placeholder="Sales desk" {...control} {...form.register("label")} />}
      </Field>
    </FormDialog>
  );
}
