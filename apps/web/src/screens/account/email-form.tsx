import { zodResolver } from "@hookform/resolvers/zod";
import { LoginInput } from "@leadline/contract/sessions";
import type { User } from "@leadline/contract/users";
import { useForm } from "react-hook-form";
import { toast } from "sonner";
import { AskBeforeLeaving } from "../../components/ask-before-leaving.tsx";
import { focusFirstInvalid, showProblemInForm } from "../../components/show-problem-in-form.ts";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { EmailInput, PasswordInput } from "../../ui/input.tsx";
import { Notice } from "../../ui/notice.tsx";
import { currentPasswordField } from "./current-password.ts";
import { saveAccount } from "./save-account.ts";

export function EmailForm({ me }: { me: User }) {
  const form = useForm({
    shouldFocusError: false,
    resolver: zodResolver(LoginInput.pick({ email: true }).extend({ currentPassword: currentPasswordField })),
    defaultValues: { email: me.email, currentPassword: "" },
  });
  const { errors, isSubmitting, dirtyFields } = form.formState;
  const submit = form.handleSubmit(async (change, event) => {
    try {
      await saveAccount(me, change);
      toast.success(`Email changed. Log in as ${form.getValues("email").trim()} from now on.`);
    } catch (error) {
      showProblemInForm(form, error, {
        event,
        fields: ["email", "currentPassword"],
        codes: { "email-taken": "email", "wrong-credentials": "currentPassword" },
      });
    }
  }, focusFirstInvalid);
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
      <AskBeforeLeaving personal unsaved={dirtyFields.email === true || isSubmitting} />
      {errors.root?.server ? <Notice>{errors.root.server.message}</Notice> : null}
      <Field label="Email" message={errors.email?.message}>
        {(control) => <EmailInput autoComplete="email" {...control} {...form.register("email")} />}
      </Field>
      {dirtyFields.email ? (
        <Field label="Current password" message={errors.currentPassword?.message}>
          {(control) => (
            <PasswordInput autoComplete="current-password" {...control} {...form.register("currentPassword")} />
          )}
        </Field>
      ) : null}
      <div>
        <Button type="submit" busy={isSubmitting} disabled={!dirtyFields.email}>
          Change email
        </Button>
      </div>
    </form>
  );
}
