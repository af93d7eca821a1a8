import {
  type CarrierConnection,
  type CarrierKind,
  type CarrierPreset,
  minPriceMicros,
} from "@leadline/contract/carriers";
import { Link } from "@tanstack/react-router";
import { Activity } from "lucide-react";
import { useEffect, useRef } from "react";
import { textLinkLook } from "../../components/auth-card.tsx";
import { AskBeforeLeaving } from "../../components/ask-before-leaving.tsx";
import { DollarInput } from "../../components/dollar-input.tsx";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { Input } from "../../ui/input.tsx";
import { Notice } from "../../ui/notice.tsx";
import { LineLimits } from "./line-limits.tsx";
import { CheckResults, CheckUnderWay } from "./check-results.tsx";
import { type FormField, isShown } from "./read-form.ts";
import { SettingsField } from "./settings-field.tsx";
import { useCarrierForm } from "./use-carrier-form.ts";

interface CarrierFormProps {
  kind: CarrierKind;
  carrier?: CarrierConnection;
  preset?: CarrierPreset;
  /** The vendor at which Leadline set the carrier up by an API key, and whose settings it keeps. */
  setUpAt?: string;
}

/** Its fields come from the carrier's description of its settings. */
export function CarrierForm(props: CarrierFormProps) {
  const { kind, carrier, preset, setUpAt } = props;
  const {
    form,
    dialog,
    fields,
    isAsked,
    label,
    setLabel,
    values,
    pricePerMinute,
    setPricePerMinute,
    lines,
    setLine,
    dirty,
    refusal,
    advancedOpen,
    setAdvancedOpen,
    change,
    submit,
    saving,
    checking,
  } = useCarrierForm(kind, props);
  const results = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (checking.isPending || checking.data) results.current?.scrollIntoView({ block: "nearest" });
  }, [checking.isPending, checking.data]);

  const shown = setUpAt === undefined ? fields.filter((field) => isShown(field, values)) : [];
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
    <>
      <form ref={form} noValidate onSubmit={submit} className="flex flex-col gap-5">
        <AskBeforeLeaving unsaved={dirty || saving.isPending} />
        {refusal.elsewhere ? <Notice>{refusal.elsewhere}</Notice> : null}
        {preset ? <PresetNote preset={preset} /> : null}
        {setUpAt === undefined ? null : (
          <p className="text-table text-pretty text-ink-soft">
            Leadline set up the connection to {setUpAt} by API key. To repair it, press Connect again under Carriers.
          </p>
        )}
        <Field label="Label" help="The name your team sees." message={refusal.byName["label"]}>
          {(control) => (
            <Input autoComplete="off" {...control} value={label} onChange={(event) => setLabel(event.target.value)} />
          )}
        </Field>
        {shown.filter(isAsked).map(draw)}
        {carrier ? null : (
          <Field
            label="Price per minute (US$)"
            help="For all numbers. Each started minute counts as a full minute. You can add rates by prefix once the carrier is connected."
            message={refusal.byName["pricePerMinute"]}
          >
            {(control) => (
              <DollarInput
                {...control}
                micros={pricePerMinute}
                stepMicros={minPriceMicros}
                onMicros={setPricePerMinute}
              />
            )}
          </Field>
        )}
        <LineLimits lines={lines} onLine={setLine} messages={refusal.byName} />
        {shown.length === 0 ? null : (
          <details
            open={advancedOpen}
            onToggle={(event) => setAdvancedOpen(event.currentTarget.open)}
            className="rounded-md border border-line bg-panel"
          >
            <summary className="cursor-pointer rounded-md px-4 py-2.5 text-sm font-medium">Advanced</summary>
            <div className="flex flex-col gap-5 px-4 pt-2 pb-5">
              {shown.filter((field) => !isAsked(field)).map(draw)}
            </div>
          </details>
        )}
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
      {dialog}
    </>
  );
}

function PresetNote({ preset: { name, note, source } }: { preset: CarrierPreset }) {
  return (
    <p className="text-table text-pretty text-ink-soft">
      {note}{" "}
      <a href={source} target="_blank" rel="noreferrer" className={textLinkLook}>
        {name}’s documentation
      </a>
    </p>
  );
}
