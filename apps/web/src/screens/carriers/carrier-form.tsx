import {
  type CarrierConnection,
  type CarrierKind,
  checkCarrier,
  createCarrier,
  leastPriceMicros,
  updateCarrier,
} from "@leadline/contract/carriers";
import { useMutation } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { Activity } from "lucide-react";
import { type FormEvent, useEffect, useMemo, useRef, useState } from "react";
import { toast } from "sonner";
import { AskBeforeLeaving } from "../../components/ask-before-leaving.tsx";
import { DollarInput } from "../../components/dollar-input.tsx";
import { useIsHere } from "../../components/use-is-here.ts";
import { request } from "../../data/api-client.ts";
import { carriersQuery } from "../../data/carriers-query.ts";
import { ProblemError, problemDetail } from "../../data/problem-error.ts";
import { queryClient } from "../../data/query-client.ts";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { Input } from "../../ui/input.tsx";
import { Notice } from "../../ui/notice.tsx";
import { CheckResults, CheckUnderWay } from "./check-results.tsx";
import {
  type FormField,
  type FormValue,
  isOfConnection,
  isShown,
  readForm,
  sortMessages,
  startValues,
  toSettings,
} from "./read-form.ts";
import { SettingsField } from "./settings-field.tsx";

interface Refusal {
  byName: Record<string, string | undefined>;
  elsewhere: string | null;
}
const nothing: Refusal = { byName: {}, elsewhere: null };
const only = (byName: Refusal["byName"], wanted: (name: string) => boolean): Refusal["byName"] =>
  Object.fromEntries(Object.entries(byName).filter(([name]) => wanted(name)));

/** What it asks follows from the carrier, which describes its own settings. */
export function CarrierForm({ kind, carrier }: { kind: CarrierKind; carrier?: CarrierConnection }) {
  const navigate = useNavigate();
  const isHere = useIsHere();
  const form = useRef<HTMLFormElement>(null);
  const fields = useMemo(() => readForm(kind), [kind]);
  const [label, setLabel] = useState(carrier?.label ?? "");
  const [values, setValues] = useState(() => startValues(fields, carrier?.settings));
  const [pricePerMinute, setPricePerMinute] = useState(carrier?.pricePerMinute ?? 0);
  const [dirty, setDirty] = useState(false);
  const [refusal, setRefusal] = useState(nothing);
  const [timesRefused, setTimesRefused] = useState(0);
  const [advancedOpen, setAdvancedOpen] = useState(false);
  const settings = () => toSettings(fields, values);
  const given = () => ({ label, settings: settings(), pricePerMinute });

  /** `unjudged`: what the refusal says nothing of, though it may be wrong. */
  function refuse(error: unknown, unjudged: (name: string) => boolean): void {
    const errors = error instanceof ProblemError ? error.errors : [];
    const { byName, elsewhere } = sortMessages(fields, values, errors);
    const rest = errors.length === 0 ? problemDetail(error) : elsewhere.join(" ");
    setRefusal((before) => ({
      byName: { ...only(before.byName, unjudged), ...byName },
      elsewhere: rest === "" ? null : rest,
    }));
    if (fields.some(({ advanced, name }) => advanced && byName[name] !== undefined)) setAdvancedOpen(true);
    setTimesRefused((times) => times + 1);
  }
  // Once what is wrong is drawn, and its part unfolded.
  useEffect(() => {
    if (timesRefused === 0) return;
    const first = form.current?.querySelector<HTMLElement>("[aria-invalid=true]");
    first?.focus({ preventScroll: true });
    first?.scrollIntoView({ block: "center" });
  }, [timesRefused]);

  const saving = useMutation({
    mutationFn: () =>
      carrier
        ? request(updateCarrier, { params: { id: carrier.id }, body: given() })
        : request(createCarrier, { body: { kind: kind.kind, ...given() } }),
    async onSuccess(saved) {
      await queryClient.invalidateQueries({ queryKey: carriersQuery.queryKey });
      toast.success(carrier ? `${saved.label} is saved.` : `${saved.label} is saved. Calls go through it from now on.`);
      if (isHere()) await navigate({ to: "/settings/carriers", ignoreBlocker: true });
    },
    onError: (error) => refuse(error, () => false),
  });
  const checking = useMutation({
    mutationFn: () =>
      request(checkCarrier, { body: { kind: kind.kind, settings: settings(), ...(carrier && { id: carrier.id }) } }),
    onSuccess: () => setRefusal(({ byName }) => ({ byName: only(byName, isOfConnection), elsewhere: null })),
    onError: (error) => refuse(error, isOfConnection),
  });

  const results = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (checking.isPending || checking.data) results.current?.scrollIntoView({ block: "nearest" });
  }, [checking.isPending, checking.data]);

  function change(name: string, value: FormValue): void {
    setValues((before) => ({ ...before, [name]: value }));
    forget(name);
    checking.reset();
  }
  function forget(name: string): void {
    setDirty(true);
    setRefusal((before) => ({ ...before, byName: { ...before.byName, [name]: undefined } }));
  }
  function submit(event: FormEvent): void {
    event.preventDefault();
    saving.mutate();
  }

  const shown = fields.filter((field) => isShown(field, values));
  const draw = (field: FormField) => (
    <SettingsField
      key={field.name}
      field={field}
      value={values[field.name] ?? ""}
      message={refusal.byName[field.name]}
      kept={carrier?.secretsSet.includes(field.name) ?? false}
      onChange={(value) => change(field.name, value)}
    />
  );
  return (
    <form ref={form} noValidate onSubmit={submit} className="flex flex-col gap-5">
      <AskBeforeLeaving unsaved={dirty || saving.isPending} />
      {refusal.elsewhere ? <Notice>{refusal.elsewhere}</Notice> : null}
      <Field label="Label" help="What your team calls it." message={refusal.byName["label"]}>
        {(control) => (
          <Input
            autoComplete="off"
            {...control}
            value={label}
            onChange={(event) => {
              setLabel(event.target.value);
              forget("label");
            }}
          />
        )}
      </Field>
      {shown.filter(({ advanced }) => !advanced).map(draw)}
      <Field
        label="Price a minute (US$)"
        help="What the carrier charges you for a call out. Calls are priced by it, by the minute begun; leave 0 if calls cost nothing."
        message={refusal.byName["pricePerMinute"]}
      >
        {(control) => (
          <DollarInput
            {...control}
            micros={pricePerMinute}
            stepMicros={leastPriceMicros}
            onMicros={(micros) => {
              setPricePerMinute(micros);
              forget("pricePerMinute");
            }}
          />
        )}
      </Field>
      <details
        open={advancedOpen}
        onToggle={(event) => setAdvancedOpen(event.currentTarget.open)}
        className="rounded-md border border-line bg-panel"
      >
        <summary className="cursor-pointer rounded-md px-4 py-2.5 text-sm font-medium">Advanced</summary>
        <div className="flex flex-col gap-5 px-4 pt-2 pb-5">{shown.filter(({ advanced }) => advanced).map(draw)}</div>
      </details>
      <div ref={results} className="scroll-my-6 empty:hidden">
        {checking.isPending ? <CheckUnderWay /> : checking.data ? <CheckResults checks={checking.data} /> : null}
      </div>
      <div className="flex flex-wrap gap-2 pt-1">
        <Button type="submit" busy={saving.isPending}>
          {carrier ? "Save" : "Connect"}
        </Button>
        <Button tone="plain" busy={checking.isPending} onClick={() => checking.mutate()}>
          <Activity aria-hidden="true" /> Test connection
        </Button>
        <Button asChild tone="quiet">
          <Link to="/settings/carriers">Cancel</Link>
        </Button>
      </div>
    </form>
  );
}
