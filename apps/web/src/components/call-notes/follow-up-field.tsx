import { useEffect, useRef, useState } from "react";
import { useToday } from "../use-day.ts";
import { useDayInput } from "../use-day-input.ts";
import { Field } from "../../ui/field.tsx";
import { Input } from "../../ui/input.tsx";
import { isFocusLost } from "../../ui/is-focus-lost.ts";
import { Select } from "../../ui/select.tsx";
import { followUpDays } from "./follow-up-days.ts";

const none = "none";
const other = "other";

interface FollowUpFieldProps {
  day: string | null;
  problem: string | null;
  onChoose: (day: string | null) => void;
  help?: string | undefined;
}

/** The day to call back. Days that aren't in the list are chosen in a native date field. */
export function FollowUpField({ day, problem, onChoose, help }: FollowUpFieldProps) {
  const today = useToday();
  const [picking, setPicking] = useState(false);
  const field = useRef<HTMLDivElement>(null);
  const picked = useDayInput({ day: null, min: today, onDay: onChoose, onDone: () => setPicking(false) });
  // The list and the date field replace each other. Move the focus along, or it would leave the dialog.
  const wasPicking = useRef(false);
  useEffect(() => {
    if (picking) field.current?.querySelector("input")?.focus();
    else if (wasPicking.current && isFocusLost()) field.current?.querySelector("button")?.focus();
    wasPicking.current = picking;
  }, [picking]);
  return (
    <div ref={field}>
      <Field label="Call back on" help={help} message={picked.problem ?? problem ?? undefined}>
        {(control) =>
          picking ? (
            <Input {...control} {...picked.input} />
          ) : (
            <Select
              {...control}
              value={day ?? none}
              onValueChange={(value) => {
                if (value === other) setPicking(true);
                else onChoose(value === none ? null : value);
              }}
              options={[
                { value: none, label: "No day" },
                ...followUpDays(today, day).map((choice) => ({ value: choice.day, label: choice.label })),
                { value: other, label: "Pick a day…" },
              ]}
            />
          )
        }
      </Field>
    </div>
  );
}
