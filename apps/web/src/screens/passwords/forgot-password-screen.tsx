import { zodResolver } from "@hookform/resolvers/zod";
import { forgotPassword, ForgotPasswordInput } from "@leadline/contract/passwords";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { AuthCard, textLinkLook } from "../../components/auth-card.tsx";
import { focusFirstInvalid, showProblemInForm } from "../../components/show-problem-in-form.ts";
import { request } from "../../data/api-client.ts";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { EmailInput } from "../../ui/input.tsx";
import { Notice } from "../../ui/notice.tsx";

export function ForgotPasswordScreen() {
  const [askedFor, setAskedFor] = useState<string | null>(null);
  const form = useForm({
    shouldFocusError: false,
    resolver: zodResolver(ForgotPasswordInput),
    defaultValues: { email: "" },
  });
  const { errors, isSubmitting } = form.formState;

  const submit = form.handleSubmit(async ({ email }, event) => {
    try {
      await request(forgotPassword, { body: { email } });
      setAskedFor(form.getValues("email").trim());
    } catch (error) {
      showProblemInForm(form, error, { event, fields: ["email"] });
    }
  }, focusFirstInvalid);

  const backToLogin = (
    <Link to="/login" className={textLinkLook}>
      Back to the login
    </Link>
  );
  if (askedFor !== null) {
    return (
      <AuthCard title="Check your email" foot={backToLogin}>
        <output className="flex flex-col gap-3">
          <p>
            If there is an account for <strong className="font-semibold break-words">{askedFor}</strong>, we’ve sent it
            a link to set a new password.
          </p>
          <p className="text-ink-soft">
            It works once, within an hour. Nothing arrived? Check your spam folder, then{" "}
            <button type="button" className={textLinkLook} onClick={() => setAskedFor(null)}>
              request another{" "}
            </button>{" "}
            . If this server can’t send email, ask its administrator.
          </p>
        </output>
      </AuthCard>
    );
  }
  return (
    <AuthCard title="Forgot your password" lead="We’ll email you a link to set a new one." foot={backToLogin}>
      <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
        {errors.root?.server ? <Notice>{errors.root.server.message}</Notice> : null}
        <Field label="Email" message={errors.email?.message}>
          {(control) => <EmailInput autoComplete="username" {...control} {...form.register("email")} />}
        </Field>
        <Button type="submit" className="mt-2 h-10 w-full max-md:h-11" busy={isSubmitting}>
          Send the link
        </Button>
      </form>
    </AuthCard>
  );
}
