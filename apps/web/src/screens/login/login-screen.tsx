import { Link } from "@tanstack/react-router";
import { type BaseSyntheticEvent, useEffect, useState } from "react";
import { useForm } from "react-hook-form";
import { AuthCard, textLinkLook } from "../../components/auth-card.tsx";
import { focusFirstInvalid, showProblemInForm } from "../../components/show-problem-in-form.ts";
import { request } from "../../data/api-client.ts";
import { joinAfterLogin } from "../../data/join-after-login.ts";
import { justRegistered } from "../../data/just-registered.ts";
import { pendingInvitation } from "../../data/pending-invitation.ts";
import { noConnectionProblem, ProblemError } from "../../data/problem-error.ts";
import { session, sessionEnded } from "../../data/session.ts";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { EmailInput, PasswordInput } from "../../ui/input.tsx";
import { Notice } from "../../ui/notice.tsx";
import { HostedLoginButton } from "./hosted-login-button.tsx";

/** Loaded when the user starts typing, to keep the page small. */
const loadRules = () =>
  Promise.all([import("@hookform/resolvers/zod"), import("@leadline/contract/sessions")]).catch(() => {
    throw noConnectionProblem();
  });

const fetchRules = () => void loadRules().catch(() => undefined);

export function LoginScreen() {
  const form = useForm({
    shouldFocusError: false,
    defaultValues: { email: justRegistered.email() ?? pendingInvitation.email() ?? "", password: "" },
    async resolver(values, context, options) {
      const [{ zodResolver }, { LoginInput }] = await loadRules();
      return zodResolver(LoginInput)(values, context, options);
    },
  });
  const { errors, isSubmitting } = form.formState;
  const [joined] = useState(pendingInvitation.organisationName);
  const [leaving, setLeaving] = useState(false);
  const [ended] = useState(sessionEnded.isNoted);
  useEffect(() => sessionEnded.forget(), []);

  const showProblem = (error: unknown, event?: BaseSyntheticEvent) =>
    showProblemInForm(form, error, { event, fields: ["email", "password"] });
  const submit = form.handleSubmit(async (credentials, event) => {
    try {
      const [, { login }] = await loadRules();
      const answer = await request(login, { body: credentials });
      session.store({ accessToken: answer.token, refreshToken: answer.refresh_token });
      setLeaving(true);
      // A full page load, so that no data from before the login remains.
      location.assign(await joinAfterLogin(credentials.email));
    } catch (error) {
      showProblem(error, event);
      if (error instanceof ProblemError && error.code === "wrong-credentials") form.setFocus("password");
    }
  }, focusFirstInvalid);

  return (
    <AuthCard
      title="Welcome back"
      lead={joined === null ? "Login to your Leadline account" : `Login to join ${joined}`}
      foot={
        <>
          New here?{" "}
          <Link to="/register" className={textLinkLook}>
            Create an account
          </Link>
        </>
      }
    >
      <form
        noValidate
        onSubmit={(event) => void submit(event).catch((error: unknown) => showProblem(error, event))}
        className="flex flex-col gap-4"
      >
        {errors.root?.server ? (
          <Notice>{errors.root.server.message}</Notice>
        ) : ended ? (
          <Notice tone="brass">Your session has ended. Log in to continue.</Notice>
        ) : null}
        <Field label="Email" message={errors.email?.message}>
          {(control) => (
            <EmailInput autoComplete="username" onFocus={fetchRules} {...control} {...form.register("email")} />
          )}
        </Field>
        <Field label="Password" message={errors.password?.message}>
          {(control) => (
            <PasswordInput
              autoComplete="current-password"
              onFocus={fetchRules}
              {...control}
              {...form.register("password")}
            />
          )}
        </Field>
        <Link to="/forgot-password" className={`${textLinkLook} -mt-1.5 self-end text-table`}>
          Forgot your password
        </Link>
        <Button type="submit" className="mt-1 h-10 w-full max-md:h-11" busy={isSubmitting || leaving}>
          Login
        </Button>
        <HostedLoginButton onProblem={showProblem} />
      </form>
    </AuthCard>
  );
}
