import {
  type AccountKind,
  type CarrierAccount,
  connectCarrierAccount,
  reconnectCarrierAccount,
} from "@leadline/contract/carrier-accounts";
import { useMutation } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { ExternalLink } from "lucide-react";
import { type FormEvent, useEffect, useMemo, useRef, useState } from "react";
import { AskBeforeLeaving } from "../../components/ask-before-leaving.tsx";
import { type SavedState, savedStateOf, useReportedState } from "../../components/use-ask-before-closing.tsx";
import { useIsHere } from "../../components/use-is-here.ts";
import { request } from "../../data/api-client.ts";
import { carrierAccountsQuery } from "../../data/carrier-accounts-query.ts";
import { ProblemError, problemDetail } from "../../data/problem-error.ts";
import { queryClient } from "../../data/query-client.ts";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { Input } from "../../ui/input.tsx";
import { Notice } from "../../ui/notice.tsx";
import { readForm, sortMessages, startValues, toSettings } from "./read-form.ts";
import { showRefusal } from "./use-carrier-form.ts";
import { SettingsField } from "./settings-field.tsx";

interface AccountFormProps {
  kind: AccountKind;
  /** The account whose key is being replaced. Its dialog then closes. */
  account?: CarrierAccount;
  onState?: (state: SavedState) => void;
  onDone?: () => void;
}

/** Label and key. */
export function AccountForm({ kind, account, onState, onDone }: AccountFormProps) {
  const navigate = useNavigate();
  const isHere = useIsHere();
  const fields = useMemo(() => readForm(kind), [kind]);
  const [label, setLabel] = useState(account?.label ?? kind.name);
  const [values, setValues] = useState(() => startValues(fields));
  const [dirty, setDirty] = useState(false);
  const connecting = useMutation({
    mutationFn: () => {
      const key = toSettings(fields, values);
      return account
        ? request(reconnectCarrierAccount, { params: { id: account.id }, body: { key } })
        : request(connectCarrierAccount, { body: { vendor: kind.vendor, label, key } });
    },
    async onSuccess() {
      await queryClient.invalidateQueries({ queryKey: carrierAccountsQuery.queryKey });
      if (onDone) onDone();
      else if (isHere()) await navigate({ to: "/settings/carriers", ignoreBlocker: true });
    },
  });
  const errors = connecting.error instanceof ProblemError ? connecting.error.errors : [];
  const { byName, elsewhere } = sortMessages(fields, values, errors);
  const refusal = connecting.isError && errors.length === 0 ? problemDetail(connecting.error) : elsewhere.join(" ");
  const { sandboxKey } = kind;
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (connecting.error) showRefusal(form.current);
  }, [connecting.error]);

  const state = savedStateOf({ isSubmitting: connecting.isPending, isDirty: dirty });
  useReportedState(state, onState);

  function submit(event: FormEvent): void {
    event.preventDefault();
    connecting.mutate();
  }
  return (
    <form ref={form} noValidate onSubmit={submit} className="flex flex-col gap-5">
      <AskBeforeLeaving unsaved={state !== "saved"} />
      {refusal === "" ? null : <Notice>{refusal}</Notice>}
      {account ? null : (
        <Field label="Label" help="The name your team sees." message={byName["label"]}>
          {(control) => (
            <Input
              autoComplete="off"
              {...control}
              value={label}
              onChange={(event) => {
                setLabel(event.target.value);
                setDirty(true);
              }}
            />
          )}
        </Field>
      )}
      {fields.map((field) => (
        <SettingsField
          key={field.name}
          field={field}
          value={values[field.name] ?? ""}
          message={byName[field.name]}
          kept={false}
          onChange={(value) => {
            setValues((before) => ({ ...before, [field.name]: value }));
            setDirty(true);
          }}
        />
      ))}
      <p className="text-sm text-pretty text-ink-soft">
        {kind.keyHelp} Connecting makes a trunk there and sends your calls through it. It buys nothing.
      </p>
      {sandboxKey ? (
        <Notice tone="brass" title="No account yet?">
          A made-up key connects the sandbox, which speaks {kind.name}’s protocol and reaches no real phone.{" "}
          <button
            type="button"
            className="rounded-[4px] font-medium text-brand underline decoration-brand/35 underline-offset-3 hover:decoration-brand"
            onClick={() => {
              setValues(sandboxKey);
              setDirty(true);
            }}
          >
            Fill in the sandbox key
          </button>
        </Notice>
      ) : null}
      <div className="flex flex-wrap gap-2 pt-1">
        <Button type="submit" busy={connecting.isPending}>
          Connect
        </Button>
        {onDone ? (
          <Button tone="quiet" onClick={onDone}>
            Cancel
          </Button>
        ) : (
          <Button asChild tone="quiet">
            <Link to="/settings/carriers">Cancel</Link>
          </Button>
        )}
      </div>
      <section aria-label={`By hand at ${kind.name}`} className="flex flex-col gap-2 text-sm">
        <p className="font-medium">What you do yourself at {kind.name}</p>
        <ul className="flex flex-col gap-2 text-ink-soft">
          {kind.byHand.map(({ what, where, url }) => (
            <li key={what}>
              {what}:{" "}
              <a className="text-brand underline underline-offset-3" href={url} target="_blank" rel="noreferrer">
                {where} <ExternalLink aria-label="(opens another site)" className="inline size-3.5" />
              </a>
            </li>
          ))}
        </ul>
      </section>
    </form>
  );
}
