import { zodResolver } from "@hookform/resolvers/zod";
import { login, register, RegisterInput } from "@leadline/contract/sessions";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { AuthCard, textLinkLook } from "../../components/auth-card.tsx";
import { passwordRule, personNameRule } from "../../components/field-rules.ts";
import { showProblemInForm } from "../../components/show-problem-in-form.ts";
import { request } from "../../data/api-client.ts";
import { joinAfterLogin } from "../../data/join-after-login.ts";
import { pendingInvitation } from "../../data/pending-invitation.ts";
import { session } from "../../data/session.ts";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { EmailInput, Input, PasswordInput } from "../../ui/input.tsx";
import { Notice } from "../../ui/notice.tsx";

export function RegisterScreen() {
  const [registered, setRegistered] = useState(false);
  return registered ? <Registered /> : <RegisterForm onRegistered={() => setRegistered(true)} />;
}

function Registered() {
  return (
    <AuthCard title="You are on board">
      <output className="block">Successfully registered! You can now login here:</output>
      <Button asChild className="mt-5 h-10 w-full max-md:h-11">
        <Link to="/login">Login</Link>
      </Button>
    </AuthCard>
  );
}

function RegisterForm({ onRegistered }: { onRegistered: () => void }) {
  const form = useForm({
    resolver: zodResolver(RegisterInput),
    defaultValues: { firstName: "", lastName: "", email: pendingInvitation.email() ?? "", password: "" },
  });
  const [joined] = useState(pendingInvitation.organisationName);
  const { errors, isSubmitting } = form.formState;

  const submit = form.handleSubmit(async (person) => {
    try {
      const invitation = pendingInvitation.token();
      await request(register, { body: { ...person, ...(invitation !== null && { invitation }) } });
      if (invitation === null) return onRegistered();
      // They have just typed the password; asking for it again would only be in their way.
      const answer = await request(login, { body: person }).catch(() => null);
      if (answer === null) return onRegistered();
      session.store({ accessToken: answer.token, refreshToken: answer.refresh_token });
      // A whole load, so that nothing read before the login is left.
      location.assign(await joinAfterLogin(person.email));
    } catch (error) {
      showProblemInForm(form, error, {
        fields: ["firstName", "lastName", "email", "password"],
        codes: { "email-taken": "email" },
      });
    }
  });

  return (
    <AuthCard
      title="Create your account"
      lead={joined === null ? "It lives on this server and nowhere else." : `Then you are in ${joined}.`}
      foot={
        <>
          Already have one?{" "}
          <Link to="/login" className={textLinkLook}>
            Login
          </Link>
        </>
      }
    >
      <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
        {errors.root?.server ? <Notice>{errors.root.server.message}</Notice> : null}
        <div className="grid gap-4 md:grid-cols-2">
          <Field label="First name" rule={personNameRule} message={errors.firstName?.message}>
            {(control) => <Input autoComplete="given-name" {...control} {...form.register("firstName")} />}
          </Field>
          <Field label="Last name" rule={personNameRule} message={errors.lastName?.message}>
            {(control) => <Input autoComplete="family-name" {...control} {...form.register("lastName")} />}
          </Field>
        </div>
        <Field label="Email" message={errors.email?.message}>
          {(control) => <EmailInput autoComplete="username" {...control} {...form.register("email")} />}
        </Field>
        <Field label="Password" help={passwordRule} rule={passwordRule} message={errors.password?.message}>
          {(control) => <PasswordInput autoComplete="new-password" {...control} {...form.register("password")} />}
        </Field>
        <Button type="submit" className="mt-2 h-10 w-full max-md:h-11" busy={isSubmitting}>
          Create account
        </Button>
      </form>
    </AuthCard>
  );
}
