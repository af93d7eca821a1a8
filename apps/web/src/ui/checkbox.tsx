import { Check } from "lucide-react";
import type { ReactNode } from "react";

const boxLook =
  "peer size-[18px] shrink-0 cursor-[inherit] appearance-none rounded-[5px] border border-field-line bg-panel transition-colors checked:border-brand checked:bg-brand hover:not-disabled:border-ink-soft disabled:opacity-60";
const checkLook = "pointer-events-none absolute size-3 text-on-brand opacity-0 peer-checked:opacity-100";

interface CheckboxProps {
  label: ReactNode;
  checked: boolean;
  onChange: (checked: boolean) => void;
  disabled?: boolean;
}

/** The native checkbox with our style, and a clickable label. */
export function Checkbox({ label, checked, onChange, disabled }: CheckboxProps) {
  return (
    <label className="relative inline-flex min-h-8 cursor-pointer items-center gap-2.5 text-sm has-disabled:cursor-default">
      <input
        type="checkbox"
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.target.checked)}
        className={boxLook}
      />
      <Check aria-hidden="true" strokeWidth={3} className={`${checkLook} left-[3px]`} />
      {label}
    </label>
  );
}

interface CheckboxAloneProps {
  /** For screen readers. */
  label: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

/** In a table, where the row is the visible label. */
export function CheckboxAlone({ label, checked, onChange }: CheckboxAloneProps) {
  return (
    <label className="relative -m-2 inline-flex cursor-pointer items-center p-2">
      <input
        type="checkbox"
        aria-label={label}
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
        className={boxLook}
      />
      <Check aria-hidden="true" strokeWidth={3} className={`${checkLook} left-[11px]`} />
    </label>
  );
}
