import { zodResolver } from "@hookform/resolvers/zod";
import type { Registration } from "@leadline/contract/hosted-login";
import { login, register, RegisterInput } from "@leadline/contract/sessions";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { AuthCard, textLinkLook } from "../../components/auth-card.tsx";
import { passwordRule } from "../../components/field-rules.ts";
import { PersonNameFields } from "../../components/person-name-fields.tsx";
import { focusFirstInvalid, showProblemInForm } from "../../components/show-problem-in-form.ts";
import { request } from "../../data/api-client.ts";
import { joinAfterLogin } from "../../data/join-after-login.ts";
import { justRegistered } from "../../data/just-registered.ts";
import { readLoginOptions } from "../../data/login-options.ts";
import { pendingInvitation } from "../../data/pending-invitation.ts";
import { session } from "../../data/session.ts";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { EmailInput, PasswordInput } from "../../ui/input.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";

export function RegisterScreen() {
  const [registered, setRegistered] = useState<"can-log-in" | "mailed" | null>(null);
  const [invited] = useState(() => pendingInvitation.token() !== null || setUpToken() !== null);
  const options = useQuery({
    queryKey: ["login-options"],
    queryFn: readLoginOptions,
    enabled: !invited,
    staleTime: Infinity,
    // Without a response the form is shown, and the server refuses if it must.
    retry: false,
  });
  if (registered === "mailed") return <ConfirmationMailed />;
  if (registered) return <Registered />;
  if (options.isLoading) return <Loading />;
  const registration = options.data?.registration ?? "open";
  if (registration !== "open" && registration.domains.length === 0) return <ByInvitationOnly />;
  return <RegisterForm registration={registration} onRegistered={setRegistered} />;
}

function Loading() {
  return (
    <AuthCard title="Create your account">
      <output className="sr-only">Loading</output>
      <Skeleton className="w-64" />
      <Skeleton className="mt-6 h-10 w-full" />
    </AuthCard>
  );
}

function ByInvitationOnly() {
  return (
    <AuthCard title="By invitation only">
      <p>You need an invitation to register on this server.</p>
      <p className="mt-2 text-ink-soft">
        Ask an admin of your organisation for an invitation, then open the link in it to create your account.
      </p>
      <Button asChild className="mt-5 h-10 w-full max-md:h-11">
        <Link to="/login">Login</Link>
      </Button>
    </AuthCard>
  );
}

const orList = new Intl.ListFormat("en", { type: "disjunction" });

function ConfirmationMailed() {
  return (
    <AuthCard title="Check your email">
      <output className="block">
        We’ve mailed you a link. Open it within an hour to confirm your address and set your password.
      </output>
      <Button asChild className="mt-5 h-10 w-full max-md:h-11">
        <Link to="/login">Login</Link>
      </Button>
    </AuthCard>
  );
}

function Registered() {
  return (
    <AuthCard title="Account created">
      <output className="block">Successfully registered! You can now login here:</output>
      <Button asChild className="mt-5 h-10 w-full max-md:h-11">
        <Link to="/login">Login</Link>
      </Button>
    </AuthCard>
  );
}

interface RegisterFormProps {
  registration: Registration;
  onRegistered: (how: "can-log-in" | "mailed") => void;
}

/** From the link in a new server's log, which creates the first account. */
const setUpToken = (): string | null => location.hash.slice(1) || null;

/** Known to nobody: the mailed link sets the real password. */
const randomPassword = (): string => crypto.getRandomValues(new Uint32Array(8)).join("-");

function RegisterForm({ registration, onRegistered }: RegisterFormProps) {
  const isMailed = registration !== "open";
  const form = useForm({
    shouldFocusError: false,
    resolver: zodResolver(RegisterInput),
    defaultValues: {
      firstName: "",
      lastName: "",
      email: pendingInvitation.email() ?? "",
      password: isMailed ? randomPassword() : "",
    },
  });
  const [joined] = useState(pendingInvitation.organisationName);
  const { errors, isSubmitting } = form.formState;

  const submit = form.handleSubmit(async (person, event) => {
    try {
      const invitation = pendingInvitation.token() ?? setUpToken();
      const { confirmationMailed } = await request(register, {
        body: { ...person, ...(invitation !== null && { invitation }) },
      });
      justRegistered.keep(person.email);
      if (confirmationMailed) return onRegistered("mailed");
      if (invitation === null) return onRegistered("can-log-in");
      // Log in with the password they have just typed instead of asking for it again.
      const answer = await request(login, { body: person }).catch(() => null);
      if (answer === null) return onRegistered("can-log-in");
      session.store({ accessToken: answer.token, refreshToken: answer.refresh_token });
      // A full page load, so that no data from before the login remains.
      location.assign(await joinAfterLogin(person.email));
    } catch (error) {
      showProblemInForm(form, error, {
        event,
        fields: ["firstName", "lastName", "email", "password"],
        codes: { "email-taken": "email" },
      });
    }
  }, focusFirstInvalid);

  return (
    <AuthCard
      title="Create your account"
      lead={joined === null ? "Your account is stored only on this server." : `You’ll then join ${joined}.`}
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
        {registration === "open" ? null : (
          <Notice tone="brass">
            Only addresses at {orList.format(registration.domains)} can register here. We’ll mail you a link to set your
            password. To join with another address, ask for an invitation.
          </Notice>
        )}
        {errors.root?.server ? <Notice>{errors.root.server.message}</Notice> : null}
        <PersonNameFields register={form.register} errors={errors} />
        <Field label="Email" message={errors.email?.message}>
          {(control) => <EmailInput autoComplete="username" {...control} {...form.register("email")} />}
        </Field>
        {isMailed ? null : (
          <Field label="Password" help={passwordRule} rule={passwordRule} message={errors.password?.message}>
            {(control) => <PasswordInput autoComplete="new-password" {...control} {...form.register("password")} />}
          </Field>
        )}
        <Button type="submit" className="mt-2 h-10 w-full max-md:h-11" busy={isSubmitting}>
          Create account
        </Button>
      </form>
    </AuthCard>
  );
}
