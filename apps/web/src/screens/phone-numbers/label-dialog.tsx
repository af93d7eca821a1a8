import { zodResolver } from "@hookform/resolvers/zod";
import { type PhoneNumber, updatePhoneNumber, UpdatePhoneNumberInput } from "@leadline/contract/phone-numbers";
import { useId } from "react";
import { useForm } from "react-hook-form";
import { toast } from "sonner";
import { AskBeforeLeaving } from "../../components/ask-before-leaving.tsx";
import { formatPhoneNumber } from "../../components/format-phone-number.ts";
import { showProblemInForm } from "../../components/show-problem-in-form.ts";
import { savedStateOf, useAskBeforeClosing } from "../../components/use-ask-before-closing.tsx";
import { request } from "../../data/api-client.ts";
import { phoneNumbersKey } from "../../data/phone-numbers-query.ts";
import { queryClient } from "../../data/query-client.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { Input } from "../../ui/input.tsx";
import { Notice } from "../../ui/notice.tsx";

const LabelInput = UpdatePhoneNumberInput.pick({ label: true });

export function LabelDialog({ owned, onClose }: { owned: PhoneNumber; onClose: () => void }) {
  const formId = useId();
  const number = formatPhoneNumber(owned.number);
  const form = useForm({ resolver: zodResolver(LabelInput), defaultValues: { label: owned.label ?? "" } });
  const { errors, isSubmitting } = form.formState;
  const state = savedStateOf(form.formState);
  const { onOpenChange, question } = useAskBeforeClosing(state, onClose);

  const submit = form.handleSubmit(async ({ label }) => {
    try {
      await request(updatePhoneNumber, { params: { id: owned.id }, body: { label: label ?? null } });
      await queryClient.invalidateQueries({ queryKey: phoneNumbersKey });
      toast.success(label ? `${number} is now “${label}”.` : `${number} has no label now.`);
      onClose();
    } catch (error) {
      showProblemInForm(form, error, { fields: ["label"] });
    }
  });

  return (
    <Dialog
      open
      onOpenChange={onOpenChange}
      title={`Label ${number}`}
      footer={
        <>
          <Button tone="quiet" disabled={isSubmitting} onClick={() => onOpenChange()}>
            Cancel
          </Button>
          <Button type="submit" form={formId} busy={isSubmitting}>
            Save label
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
        <AskBeforeLeaving unsaved={state !== "saved"} />
        {errors.root?.server ? <Notice>{errors.root.server.message}</Notice> : null}
        <Field
          label="Label"
          optional
          help="Only your organisation sees it: what the number is for."
          message={errors.label?.message}
        >
          {(control) => <Input autoComplete="off" placeholder="Sales desk" {...control} {...form.register("label")} />}
        </Field>
      </form>
      {question}
    </Dialog>
  );
}
