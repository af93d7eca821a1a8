import type { ComponentProps } from "react";
import { Input } from "../ui/input.tsx";

interface DollarInputProps extends Omit<ComponentProps<"input">, "value" | "defaultValue" | "onChange" | "type"> {
  /** The initial amount. */
  micros: number;
  /** The smallest unit, in millionths: a cent is 10,000. */
  stepMicros: number;
  /** NaN if the text isn't an amount, or is empty; an amount below the smallest unit is kept, for the contract to refuse. */
  onMicros: (micros: number, text: { isEmpty: boolean }) => void;
}

/**
 * A fraction of the smallest unit is kept, however small: rounded to zero, a limit of $0.001 a day would mean that no
 * one may call.
 */
function toMicros(dollars: number, stepMicros: number): number {
  const steps = (dollars * 1_000_000) / stepMicros;
  const whole = Math.round(steps);
  return Math.abs(steps - whole) < 1e-6 ? whole * stepMicros : Math.floor(steps) * stepMicros + 1;
}

/** Keeps the text as typed, and reports it in millionths. */
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
        onChange={({ target }) =>
          onMicros(toMicros(target.valueAsNumber, stepMicros), {
            isEmpty: target.value === "" && !target.validity.badInput,
          })
        }
        {...rest}
      />
    </span>
  );
}
