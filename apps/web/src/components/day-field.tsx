import { Field } from "../ui/field.tsx";
import { Input } from "../ui/input.tsx";
import { useDayInput } from "./use-day-input.ts";

interface DayFieldProps {
  label: string;
  day: string | null;
  onDay: (day: string | null) => void;
}

export function DayField({ label, ...props }: DayFieldProps) {
  const { problem, input } = useDayInput(props);
  return (
    <Field label={label} message={problem ?? undefined}>
      {(control) => <Input {...control} {...input} />}
    </Field>
  );
}
