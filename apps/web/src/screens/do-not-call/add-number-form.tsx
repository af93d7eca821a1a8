import { zodResolver } from "@hookform/resolvers/zod";
import { DoNotCallEntryInput } from "@leadline/contract/do-not-call";
import { useForm } from "react-hook-form";
import { AskBeforeLeaving } from "../../components/ask-before-leaving.tsx";
import { focusFirstInvalid, showProblemInForm } from "../../components/show-problem-in-form.ts";
import { useDoNotCall } from "../../components/use-do-not-call.ts";
import { problemDetail } from "../../data/problem-error.ts";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { Input } from "../../ui/input.tsx";
import { Notice } from "../../ui/notice.tsx";

export function AddNumberForm() {
  const form = useForm({
    shouldFocusError: false,
    resolver: zodResolver(DoNotCallEntryInput),
    defaultValues: { phoneNumber: "" },
  });
  const { adding, removing } = useDoNotCall();
  const { errors, isSubmitting, isDirty } = form.formState;
  const submit = form.handleSubmit(async ({ phoneNumber }, event) => {
    try {
      await adding.mutateAsync(phoneNumber);
      form.reset();
    } catch (error) {
      showProblemInForm(form, error, {
        event,
        fields: ["phoneNumber"],
        codes: { "phone-number-invalid": "phoneNumber" },
      });
    }
  }, focusFirstInvalid);
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="flex max-w-[440px] flex-col gap-3">
      <AskBeforeLeaving unsaved={isDirty || isSubmitting} />
      {errors.root?.server ? <Notice>{errors.root.server.message}</Notice> : null}
      {removing.isError ? <Notice>{problemDetail(removing.error)}</Notice> : null}
      <Field label="Add a number" message={errors.phoneNumber?.message}>
        {(control) => (
          <div className="flex gap-2">
            <Input
              type="tel"
              autoComplete="off"
              placeholder="+1 202 555 0100"
              {...control}
              {...form.register("phoneNumber")}
            />
            <Button type="submit" busy={isSubmitting} className="max-md:h-11">
              Add
            </Button>
          </div>
        )}
      </Field>
    </form>
  );
}
