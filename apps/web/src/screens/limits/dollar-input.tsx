import { centMicros } from "@leadline/contract/limits";
import type { ComponentProps } from "react";
import { Input } from "../../ui/input.tsx";

interface DollarInputProps extends Omit<ComponentProps<"input">, "value" | "defaultValue" | "onChange" | "type"> {
  /** What it begins with. */
  micros: number;
  /** NaN where nothing that is an amount stands there; a fraction of a cent stays one, for the contract to refuse. */
  onMicros: (micros: number) => void;
}

/** A fraction of a cent stays one, however small: rounded, $0.001 a day would say that nobody may call. */
function toMicros(dollars: number): number {
  const cents = dollars * 100;
  const whole = Math.round(cents);
  return Math.abs(cents - whole) < 1e-6 ? whole * centMicros : Math.ceil(cents * centMicros);
}

/** Keeps what is typed as it is typed, and tells it in millionths. */
export function DollarInput({ micros, onMicros, ...rest }: DollarInputProps) {
  return (
    <span className="relative block max-w-32">
      <span aria-hidden="true" className="absolute inset-y-0 left-3 grid place-items-center text-sm text-ink-soft">
        $
      </span>
      <Input
        type="number"
        inputMode="decimal"
        min={0}
        step="0.01"
        className="pl-7 tabular-nums"
        defaultValue={micros / 1_000_000}
        onChange={(event) => onMicros(toMicros(event.target.valueAsNumber))}
        {...rest}
      />
    </span>
  );
}
