import { Check } from "lucide-react";
import type { ReactNode } from "react";

interface CheckboxProps {
  label: ReactNode;
  checked: boolean;
  onChange: (checked: boolean) => void;
  disabled?: boolean;
}

/** The browser's own box under our look, its whole label to press. */
export function Checkbox({ label, checked, onChange, disabled }: CheckboxProps) {
  return (
    <label className="relative inline-flex min-h-8 cursor-pointer items-center gap-2.5 text-sm has-disabled:cursor-default">
      <input
        type="checkbox"
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.target.checked)}
        className="peer size-[18px] shrink-0 cursor-[inherit] appearance-none rounded-[5px] border border-field-line bg-panel transition-colors checked:border-brand checked:bg-brand hover:not-disabled:border-ink-soft disabled:opacity-60"
      />
      <Check
        aria-hidden="true"
        strokeWidth={3}
        className="pointer-events-none absolute left-[3px] size-3 text-on-brand opacity-0 peer-checked:opacity-100"
      />
      {label}
    </label>
  );
}
