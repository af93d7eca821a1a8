import type { ComponentProps } from "react";
import { Input } from "../ui/input.tsx";

interface DollarInputProps extends Omit<ComponentProps<"input">, "value" | "defaultValue" | "onChange" | "type"> {
  /** What it begins with. */
  micros: number;
  /** The least part that is counted, in millionths: a cent is 10,000. */
  stepMicros: number;
  /** NaN where nothing that is an amount stands there; less than the least part stays so, for the contract to refuse. */
  onMicros: (micros: number) => void;
}

/** A fraction of the least part stays one, however small: rounded, $0.001 a day would say that nobody may call. */
function toMicros(dollars: number, stepMicros: number): number {
  const steps = (dollars * 1_000_000) / stepMicros;
  const whole = Math.round(steps);
  return Math.abs(steps - whole) < 1e-6 ? whole * stepMicros : Math.floor(steps) * stepMicros + 1;
}

/** Keeps what is typed as it is typed, and tells it in millionths. */
export function DollarInput({ micros, stepMicros, onMicros, ...rest }: DollarInputProps) {
  return (
    <span className="relative block max-w-32">
      <span aria-hidden="true" className="absolute inset-y-0 left-3 grid place-items-center text-sm text-ink-soft">
        $
      </span>
      <Input
        type="number"
        inputMode="decimal"
        min={0}
        step={stepMicros / 1_000_000}
        className="pl-7 tabular-nums"
        defaultValue={Number.isNaN(micros) ? "" : micros / 1_000_000}
        onChange={(event) => onMicros(toMicros(event.target.valueAsNumber, stepMicros))}
        {...rest}
      />
    </span>
  );
}
