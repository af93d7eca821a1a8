import { ArrowUp } from "lucide-react";
import { Checkbox } from "../../ui/checkbox.tsx";
import { Field } from "../../ui/field.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { Input, PasswordInput, TextArea } from "../../ui/input.tsx";
import { Select } from "../../ui/select.tsx";
import type { FormField, FormValue } from "./read-form.ts";

interface SettingsFieldProps {
  field: FormField;
  value: FormValue;
  message: string | undefined;
  /** Whether a secret is stored. It is kept if nothing is typed. */
  kept: boolean;
  onChange: (value: FormValue) => void;
}

const asWritten = { autoComplete: "off", autoCapitalize: "none", spellCheck: false } as const;

/** One setting, with a control for its kind. */
export function SettingsField({ field, value, message, kept, onChange }: SettingsFieldProps) {
  const { title, help, kind, choices, unit } = field;
  if (typeof value !== "string") return <OrderedChoices {...{ field, message, onChange }} chosen={value} />;
  const keptHelp = kept ? "Saved. Enter a new one to replace it." : help;
  return (
    <Field label={title} help={keptHelp} message={message}>
      {(control) => {
        const typed = { ...control, ...asWritten, value };
        switch (kind) {
          case "choice":
            return <Select {...control} options={choices} value={value} onValueChange={onChange} />;
          case "secret":
            return (
              <PasswordInput
                {...typed}
                autoComplete="new-password"
                placeholder={kept ? "••••••••" : undefined}
                onChange={(event) => onChange(event.target.value)}
              />
            );
          case "lines":
          case "long-text":
            return <TextArea {...typed} onChange={(event) => onChange(event.target.value)} />;
          default:
            return (
              <div className="flex items-center gap-2">
                <Input
                  {...typed}
                  inputMode={kind === "number" ? "numeric" : undefined}
                  className={unit ? "max-w-28 text-right tabular-nums" : undefined}
                  onChange={(event) => onChange(event.target.value)}
                />
                {unit ? <span className="text-sm text-ink-soft">{unit}</span> : null}
              </div>
            );
        }
      }}
    </Field>
  );
}

interface OrderedChoicesProps {
  field: FormField;
  chosen: readonly string[];
  message: string | undefined;
  onChange: (value: FormValue) => void;
}

/** The chosen ones first, in their order; each can be moved up. */
function OrderedChoices({ field, chosen, message, onChange }: OrderedChoicesProps) {
  const rank = ({ value }: { value: string }): number =>
    chosen.includes(value) ? chosen.indexOf(value) : chosen.length;
  const sorted = field.choices.toSorted((one, other) => rank(one) - rank(other));
  /** Inserts it before the items that follow it, if nothing is chosen yet. */
  const choose = (value: string): void => {
    const later = field.choices.slice(field.choices.findIndex((choice) => choice.value === value));
    const at = chosen.findIndex((one) => later.some((choice) => choice.value === one));
    onChange(chosen.toSpliced(at < 0 ? chosen.length : at, 0, value));
  };
  const raise = (value: string, at: number): void => {
    const others = chosen.filter((one) => one !== value);
    onChange(others.toSpliced(at - 1, 0, value));
  };
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="mb-1 text-sm font-medium">{field.title}</legend>
      {sorted.map(({ value, label }, at) => (
        <div key={value} className="flex min-h-8 items-center justify-between">
          <Checkbox
            label={label}
            checked={chosen.includes(value)}
            onChange={(on) => (on ? choose(value) : onChange(chosen.filter((one) => one !== value)))}
          />
          {at > 0 && chosen.includes(value) ? (
            <IconButton label={`Prefer ${label}`} size="small" onClick={() => raise(value, at)}>
              <ArrowUp />
            </IconButton>
          ) : null}
        </div>
      ))}
      <p
        role={message ? "alert" : undefined}
        className={message ? "text-table text-fault" : "text-table text-ink-soft"}
      >
        {message ?? field.help}
      </p>
    </fieldset>
  );
}
