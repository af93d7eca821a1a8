import {
  type CarrierConnection,
  type CarrierKind,
  type CarrierPreset,
  checkCarrier,
  createCarrier,
  updateCarrier,
} from "@leadline/contract/carriers";
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useEffect, useMemo, useRef, useState } from "react";
import { toast } from "sonner";
import { usePasswordConfirmation } from "../../components/use-password-confirmation.tsx";
import { useIsHere } from "../../components/use-is-here.ts";
import { request } from "../../data/api-client.ts";
import { carriersQuery } from "../../data/carriers-query.ts";
import { ProblemError, problemDetail } from "../../data/problem-error.ts";
import { queryClient } from "../../data/query-client.ts";
import { type FormField, type FormValue, isOfConnection, readForm, sortMessages, toSettings } from "./read-form.ts";
import { useTypedValues } from "./use-typed-values.ts";

interface Refusal {
  byName: Record<string, string | undefined>;
  elsewhere: string | null;
}
const nothing: Refusal = { byName: {}, elsewhere: null };
const only = (byName: Refusal["byName"], wanted: (name: string) => boolean): Refusal["byName"] =>
  Object.fromEntries(Object.entries(byName).filter(([name]) => wanted(name)));

const asTyped = (limit: number | null | undefined): string => (typeof limit === "number" ? String(limit) : "");
/** Empty: no known limit. What isn't a number is sent as typed, so that it is refused and not taken for no limit. */
const asLimit = (typed: string): number | null => {
  const text = typed.trim().replace(",", ".");
  if (text === "") return null;
  return Number.isFinite(Number(text)) ? Number(text) : asNumber(text);
};
/** Guarantee: only for the server, which refuses it. */
const asNumber = (text: string): number => text as unknown as number;

/** The first invalid field takes the focus; without one, what is said above the form comes into view. */
export function showRefusal(form: HTMLFormElement | null): void {
  const field = form?.querySelector<HTMLElement>("[aria-invalid=true]");
  field?.focus({ preventScroll: true });
  (field ?? form?.querySelector("[role=alert]"))?.scrollIntoView({ block: "center" });
}

/** The form's values, error messages, and functions to save and test it. */
export function useCarrierForm(
  kind: CarrierKind,
  given: { carrier?: CarrierConnection; preset?: CarrierPreset; setUpAt?: string },
) {
  const { carrier, preset } = given;
  const navigate = useNavigate();
  const isHere = useIsHere();
  const form = useRef<HTMLFormElement>(null);
  const { confirmed, dialog } = usePasswordConfirmation();
  const fields = useMemo(() => readForm(kind), [kind]);
  const [refusal, setRefusal] = useState(nothing);
  const onPreset = (): void => setRefusal(nothing);
  const { label, setLabel, values, setValue } = useTypedValues(fields, { ...given, onPreset });
  const [pricePerMinute, writePrice] = useState(0);
  const [lines, writeLines] = useState({
    callsPerSecond: asTyped(carrier?.callsPerSecond),
    channels: asTyped(carrier?.channels),
  });
  const [dirty, setDirty] = useState(false);
  const [timesRefused, setTimesRefused] = useState(0);
  const [advancedOpen, setAdvancedOpen] = useState(false);
  const settings = () => toSettings(fields, values);
  /** The other fields are in the advanced part. */
  const isAsked = ({ name, advanced }: FormField): boolean => (preset ? preset.asks.includes(name) : !advanced);
  const ofOwner = () => ({
    label,
    callsPerSecond: asLimit(lines.callsPerSecond),
    channels: asLimit(lines.channels),
  });
  const entered = () => ({ ...ofOwner(), settings: settings() });

  /** `unjudged`: fields that the refusal didn't validate, so their errors stay. */
  function refuse(error: unknown, unjudged: (name: string) => boolean): void {
    const errors = error instanceof ProblemError ? error.errors : [];
    const { byName, elsewhere } = sortMessages(fields, values, errors);
    const rest = errors.length === 0 ? problemDetail(error) : elsewhere.join(" ");
    setRefusal((before) => ({
      byName: { ...only(before.byName, unjudged), ...byName },
      elsewhere: rest === "" ? null : rest,
    }));
    if (fields.some((field) => !isAsked(field) && byName[field.name] !== undefined)) setAdvancedOpen(true);
    setTimesRefused((times) => times + 1);
  }
  // After the errors are rendered and their section is open.
  useEffect(() => {
    if (timesRefused === 0) return;
    showRefusal(form.current);
  }, [timesRefused]);

  const saving = useMutation({
    mutationFn: () =>
      carrier
        ? request(updateCarrier, { params: { id: carrier.id }, body: given.setUpAt ? ofOwner() : entered() })
        : confirmed((currentPassword) =>
            request(createCarrier, { body: { kind: kind.kind, ...entered(), pricePerMinute, currentPassword } }),
          ),
    async onSuccess(saved) {
      await queryClient.invalidateQueries({ queryKey: carriersQuery.queryKey });
      toast.success(carrier ? `${saved.label} saved.` : `${saved.label} saved. Calls now go through it.`);
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
  const { reset: forgetCheck } = checking;
  // It says nothing of another preset's settings.
  useEffect(forgetCheck, [forgetCheck, preset?.id]);

  function change(name: string, value: FormValue): void {
    setValue(name, value);
    forget(name);
    forgetCheck();
  }
  function forget(name: string): void {
    setDirty(true);
    setRefusal((before) => ({ ...before, byName: { ...before.byName, [name]: undefined } }));
  }
  function submit(event: FormEvent): void {
    event.preventDefault();
    saving.mutate();
  }
  return {
    form,
    dialog,
    fields,
    isAsked,
    label,
    setLabel(next: string): void {
      setLabel(next);
      forget("label");
    },
    values,
    pricePerMinute,
    setPricePerMinute(micros: number): void {
      writePrice(micros);
      forget("pricePerMinute");
    },
    lines,
    setLine(name: keyof typeof lines, typed: string): void {
      writeLines((before) => ({ ...before, [name]: typed }));
      forget(name);
    },
    dirty,
    refusal,
    advancedOpen,
    setAdvancedOpen,
    change,
    submit,
    saving,
    checking,
  };
}
