import type { CarrierConnection, CarrierPreset } from "@leadline/contract/carriers";
import { useMemo, useState } from "react";
import { type FormField, type FormValue, type FormValues, startValues } from "./read-form.ts";

/** The label and the settings: what was typed, or else what the saved carrier, the preset or the carrier's kind proposes. */
export function useTypedValues(
  fields: readonly FormField[],
  { carrier, preset, onPreset }: { carrier?: CarrierConnection; preset?: CarrierPreset; onPreset: () => void },
) {
  const [typedLabel, setLabel] = useState<string | null>(null);
  const [typed, setTyped] = useState<FormValues>({});
  const [presetId, setPresetId] = useState(preset?.id);
  if (preset?.id !== presetId) {
    setPresetId(preset?.id);
    // The settings of another preset replace what was typed; everything else stays.
    const { settings = {} } = preset ?? {};
    setTyped((before) => Object.fromEntries(Object.entries(before).filter(([name]) => !(name in settings))));
    onPreset();
  }
  const proposed = carrier?.settings ?? preset?.settings;
  const values = useMemo(() => ({ ...startValues(fields, proposed), ...typed }), [fields, proposed, typed]);
  return {
    label: typedLabel ?? carrier?.label ?? preset?.name ?? "",
    setLabel,
    values,
    setValue: (name: string, value: FormValue): void => setTyped((before) => ({ ...before, [name]: value })),
  };
}
