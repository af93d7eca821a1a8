import { zodResolver } from "@hookform/resolvers/zod";
import { checkResetLink, resetPassword, ResetPasswordInput } from "@leadline/contract/passwords";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { AuthCard, textLinkLook } from "../../components/auth-card.tsx";
import { passwordRule } from "../../components/field-rules.ts";
import { focusFirstInvalid, showProblemInForm } from "../../components/show-problem-in-form.ts";
import { useLinkToken } from "../../components/use-link-token.ts";
import { request } from "../../data/api-client.ts";
import { ProblemError } from "../../data/problem-error.ts";
import { session } from "../../data/session.ts";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { PasswordInput } from "../../ui/input.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";

const isLinkInvalid = (error: unknown): boolean => error instanceof ProblemError && error.code === "link-invalid";

type State = "asking" | "done" | "link-invalid";

export function ResetPasswordScreen() {
  const token = useLinkToken();
  return <ResetPassword key={token} token={token} />;
}

function ResetPassword({ token }: { token: string }) {
  const [state, setState] = useState<State>(token === "" ? "link-invalid" : "asking");
  const checking = useQuery({
    queryKey: ["reset-link", token],
    queryFn: async ({ signal }) => {
      await request(checkResetLink, { body: { token } }, { signal });
      return true;
    },
    enabled: state === "asking",
    retry: false,
    refetchOnWindowFocus: false,
  });
  if (state === "done") {
    return (
      <AuthCard title="Password changed">
        <output className="block">You’ve been logged out everywhere. Log in with your new password.</output>
        <Button asChild className="mt-5 h-10 w-full max-md:h-11">
          <Link to="/login">Login</Link>
        </Button>
      </AuthCard>
    );
  }
  if (state === "link-invalid" || isLinkInvalid(checking.error)) {
    return (
      <AuthCard title="This link no longer works">
        <p>It has been used, has expired or is incomplete. Request a new one.</p>
        <Button asChild className="mt-5 h-10 w-full max-md:h-11">
          <Link to="/forgot-password">Request a new link</Link>
        </Button>
      </AuthCard>
    );
  }
  if (checking.isPending) {
    return (
      <AuthCard title="Set a new password">
        <output className="sr-only">Checking the link</output>
        <Skeleton className="w-32" />
        <Skeleton className="mt-3 h-9 w-full" />
        <Skeleton className="mt-6 h-10 w-full" />
      </AuthCard>
    );
  }
  // If the check itself fails, setting the password reports why.
  return <PasswordForm token={token} onState={setState} />;
}

function PasswordForm({ token, onState }: { token: string; onState: (state: State) => void }) {
  const form = useForm({
    shouldFocusError: false,
    resolver: zodResolver(ResetPasswordInput.pick({ password: true })),
    defaultValues: { password: "" },
  });
  const { errors, isSubmitting } = form.formState;

  const submit = form.handleSubmit(async ({ password }, event) => {
    try {
      await request(resetPassword, { body: { token, password } });
      // This browser's session, if any, has just been ended too.
      session.clear();
      onState("done");
    } catch (error) {
      if (isLinkInvalid(error)) onState("link-invalid");
      else showProblemInForm(form, error, { event, fields: ["password"] });
    }
  }, focusFirstInvalid);

  return (
    <AuthCard
      title="Set a new password"
      lead="This logs you out of all other sessions."
      foot={
        <Link to="/login" className={textLinkLook}>
          Back to the login
        </Link>
      }
    >
      <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
        {errors.root?.server ? <Notice>{errors.root.server.message}</Notice> : null}
        <Field label="New password" help={passwordRule} rule={passwordRule} message={errors.password?.message}>
          {(control) => <PasswordInput autoComplete="new-password" {...control} {...form.register("password")} />}
        </Field>
        <Button type="submit" className="mt-2 h-10 w-full max-md:h-11" busy={isSubmitting}>
          Set password
        </Button>
      </form>
    </AuthCard>
  );
}
