import type { ComponentProps } from "react";
import { Input } from "../../ui/input.tsx";

interface DollarInputProps extends Omit<ComponentProps<"input">, "value" | "defaultValue" | "onChange" | "type"> {
  /** What it begins with. */
  micros: number;
  /** NaN where nothing that is an amount stands there. */
  onMicros: (micros: number) => void;
}

/** Keeps what is typed as it is typed, and tells it in millionths, to the cent. */
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
        onChange={(event) => onMicros(Math.round(event.target.valueAsNumber * 100) * 10_000)}
        {...rest}
      />
    </span>
  );
}
