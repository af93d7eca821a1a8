import { type FormEvent, type ReactNode, useId, useState } from "react";
import { ProblemError, problemDetail } from "../data/problem-error.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Field } from "../ui/field.tsx";
import { PasswordInput } from "../ui/input.tsx";
import { focusFirstInvalid } from "./show-problem-in-form.ts";

interface Question {
  /** Why, in the server’s words. */
  why: string;
  submit: (password: string) => Promise<void>;
  cancel: () => void;
}

interface PasswordConfirmation {
  /** Sends without a password first; if the server asks for one, sends again with what the person enters. */
  confirmed: <T>(send: (currentPassword?: string) => Promise<T>) => Promise<T>;
  /** To be rendered outside of forms. */
  dialog: ReactNode;
}

const hasCode = (error: unknown, code: string): error is ProblemError =>
  error instanceof ProblemError && error.code === code;

/** For changes that take the signed-in person’s password again. Rejects if they cancel. */
export function usePasswordConfirmation(): PasswordConfirmation {
  const [question, setQuestion] = useState<Question | null>(null);
  async function confirmed<T>(send: (currentPassword?: string) => Promise<T>): Promise<T> {
    try {
      return await send();
    } catch (error) {
      if (!hasCode(error, "password-required")) throw error;
      const { promise, resolve, reject } = Promise.withResolvers<T>();
      const close = () => setQuestion(null);
      setQuestion({
        why: error.detail,
        async submit(password) {
          try {
            resolve(await send(password));
          } catch (failure) {
            if (hasCode(failure, "wrong-credentials") || hasCode(failure, "too-many-attempts")) throw failure;
            reject(failure);
          }
          close();
        },
        cancel() {
          reject(error);
          close();
        },
      });
      return promise;
    }
  }
  return { confirmed, dialog: question ? <PasswordDialog question={question} /> : null };
}

function PasswordDialog({ question: { why, submit, cancel } }: { question: Question }) {
  const id = useId();
  const [password, setPassword] = useState("");
  const [message, setMessage] = useState<string>();
  const [busy, setBusy] = useState(false);
  const onSubmit = async (event: FormEvent) => {
    event.preventDefault();
    if (password === "") {
      setMessage("Enter your password.");
      return focusFirstInvalid(undefined, event);
    }
    setBusy(true);
    await submit(password).catch((error: unknown) => {
      setMessage(problemDetail(error));
      setBusy(false);
      focusFirstInvalid(error, event);
    });
  };
  return (
    <Dialog
      open
      onOpenChange={() => (busy ? undefined : cancel())}
      title="Confirm it’s you"
      description={why}
      footer={
        <>
          <Button tone="quiet" disabled={busy} onClick={cancel}>
            Cancel
          </Button>
          <Button type="submit" form={id} busy={busy}>
            Confirm
          </Button>
        </>
      }
    >
      <form id={id} noValidate onSubmit={(event) => void onSubmit(event)} className="pt-1">
        <Field label="Your password" message={message}>
          {(control) => (
            <PasswordInput
              autoComplete="current-password"
              {...control}
              value={password}
              onChange={(event) => setPassword(event.target.value)}
            />
          )}
        </Field>
      </form>
    </Dialog>
  );
}
