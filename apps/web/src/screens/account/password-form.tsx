import { zodResolver } from "@hookform/resolvers/zod";
import { RegisterInput } from "@leadline/contract/sessions";
import type { User } from "@leadline/contract/users";
import { useForm } from "react-hook-form";
import { toast } from "sonner";
import { AskBeforeLeaving } from "../../components/ask-before-leaving.tsx";
import { passwordRule } from "../../components/field-rules.ts";
import { focusFirstInvalid, showProblemInForm } from "../../components/show-problem-in-form.ts";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { PasswordInput } from "../../ui/input.tsx";
import { Notice } from "../../ui/notice.tsx";
import { currentPasswordField } from "./current-password.ts";
import { saveAccount } from "./save-account.ts";

export function PasswordForm({ me }: { me: User }) {
  const form = useForm({
    shouldFocusError: false,
    resolver: zodResolver(RegisterInput.pick({ password: true }).extend({ currentPassword: currentPasswordField })),
    defaultValues: { currentPassword: "", password: "" },
  });
  const { errors, isSubmitting, isDirty } = form.formState;
  const submit = form.handleSubmit(async (change, event) => {
    try {
      await saveAccount(me, change);
      form.reset();
      toast.success("Password changed. All other sessions have ended.");
    } catch (error) {
      showProblemInForm(form, error, {
        event,
        fields: ["currentPassword", "password"],
        codes: { "wrong-credentials": "currentPassword" },
      });
    }
  }, focusFirstInvalid);
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
      <AskBeforeLeaving personal unsaved={isDirty || isSubmitting} />
      {errors.root?.server ? <Notice>{errors.root.server.message}</Notice> : null}
      {/* For password managers, which store a new password by username. */}
      <input type="text" name="username" autoComplete="username" value={me.email} readOnly hidden />
      <Field label="Current password" message={errors.currentPassword?.message}>
        {(control) => (
          <PasswordInput autoComplete="current-password" {...control} {...form.register("currentPassword")} />
        )}
      </Field>
      <Field label="New password" help={passwordRule} rule={passwordRule} message={errors.password?.message}>
        {(control) => <PasswordInput autoComplete="new-password" {...control} {...form.register("password")} />}
      </Field>
      <div>
        <Button type="submit" busy={isSubmitting}>
          Change password
        </Button>
      </div>
    </form>
  );
}
