import { CallOutcomeInput } from "@leadline/contract/call-outcomes";
import { zodResolver } from "@hookform/resolvers/zod";
import { useForm } from "react-hook-form";
import { AskBeforeLeaving } from "../../components/ask-before-leaving.tsx";
import { focusFirstInvalid, showProblemInForm } from "../../components/show-problem-in-form.ts";
import { savedStateOf, useAskBeforeClosing } from "../../components/use-ask-before-closing.tsx";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { Input } from "../../ui/input.tsx";

interface OutcomeNameFormProps {
  label: string;
  submit: string;
  name?: string;
  placeholder?: string;
  onSubmit: (name: string) => Promise<unknown>;
  onCancel?: () => void;
}

/** A name, for a new or existing outcome. A refusal is shown below the field. */
export function OutcomeNameForm({ label, submit, name = "", placeholder, onSubmit, onCancel }: OutcomeNameFormProps) {
  const form = useForm({ shouldFocusError: false, resolver: zodResolver(CallOutcomeInput), defaultValues: { name } });
  const { errors, isSubmitting } = form.formState;
  const state = savedStateOf(form.formState);
  const { onOpenChange, question } = useAskBeforeClosing(state, () => onCancel?.());
  return (
    <form
      noValidate
      className="flex w-full flex-col gap-2"
      onSubmit={form.handleSubmit(async (values, event) => {
        try {
          await onSubmit(values.name);
          form.reset({ name: "" });
        } catch (error) {
          showProblemInForm(form, error, {
            event,
            fields: ["name"],
            codes: { "outcome-name-taken": "name", "too-many-outcomes": "name" },
          });
        }
      }, focusFirstInvalid)}
    >
      <AskBeforeLeaving unsaved={state !== "saved"} />
      <Field label={label} message={errors.name?.message ?? errors.root?.["server"]?.message}>
        {(control) => (
          <div className="flex gap-2">
            <Input
              {...control}
              {...form.register("name")}
              autoComplete="off"
              // Escape closes nothing while adding a new one.
              onKeyDown={(event) => event.key === "Escape" && onCancel && onOpenChange()}
              placeholder={placeholder}
              // oxlint-disable-next-line jsx-a11y/no-autofocus -- the person has just asked to rename it
              autoFocus={onCancel !== undefined}
            />
            <Button type="submit" busy={isSubmitting} className="max-md:h-11">
              {submit}
            </Button>
            {onCancel ? (
              <Button tone="quiet" disabled={isSubmitting} onClick={onCancel} className="max-md:h-11">
                Cancel
              </Button>
            ) : null}
          </div>
        )}
      </Field>
      {question}
    </form>
  );
}
