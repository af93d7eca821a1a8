import { zodResolver } from "@hookform/resolvers/zod";
import { login, LoginInput } from "@leadline/contract/sessions";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { AuthCard, textLinkLook } from "../../components/auth-card.tsx";
import { showProblemInForm } from "../../components/show-problem-in-form.ts";
import { request } from "../../data/api-client.ts";
import { session } from "../../data/session.ts";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { Input } from "../../ui/input.tsx";
import { Notice } from "../../ui/notice.tsx";

export function LoginScreen() {
  const form = useForm({ resolver: zodResolver(LoginInput), defaultValues: { email: "", password: "" } });
  const { errors, isSubmitting } = form.formState;
  const [leaving, setLeaving] = useState(false);

  const submit = form.handleSubmit(async (credentials) => {
    try {
      const answer = await request(login, { body: credentials });
      session.store({ accessToken: answer.token, refreshToken: answer.refresh_token });
      setLeaving(true);
      // A whole load, so that nothing read before the login is left.
      location.assign("/dashboard");
    } catch (error) {
      showProblemInForm(form, error, { fields: ["email", "password"] });
    }
  });

  return (
    <AuthCard
      title="Welcome back"
      lead="Login to your Leadline account"
      foot={
        <>
          New here?{" "}
          <Link to="/register" className={textLinkLook}>
            Create an account
          </Link>
        </>
      }
    >
      <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
        {errors.root?.server ? <Notice>{errors.root.server.message}</Notice> : null}
        <Field label="Email" message={errors.email?.message}>
          {(control) => <Input type="email" autoComplete="username" {...control} {...form.register("email")} />}
        </Field>
        <Field label="Password" message={errors.password?.message}>
          {(control) => (
            <Input type="password" autoComplete="current-password" {...control} {...form.register("password")} />
          )}
        </Field>
        <Button type="submit" className="mt-2 h-10 w-full max-md:h-11" busy={isSubmitting || leaving}>
          Login
        </Button>
      </form>
    </AuthCard>
  );
}
