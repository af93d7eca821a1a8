import { useState } from "react";
import { useToday } from "../../../components/use-day.ts";
import { Field } from "../../../ui/field.tsx";
import { Input } from "../../../ui/input.tsx";
import { Select } from "../../../ui/select.tsx";
import { followUpDays } from "./follow-up-days.ts";

const none = "none";
const other = "other";

interface FollowUpFieldProps {
  day: string | null;
  problem: string | null;
  onChoose: (day: string | null) => void;
}

/** The day to call again. A native date field takes the days that the list has not. */
export function FollowUpField({ day, problem, onChoose }: FollowUpFieldProps) {
  const today = useToday();
  const [picking, setPicking] = useState(false);
  return (
    <Field label="Follow up" message={problem ?? undefined}>
      {(control) =>
        picking ? (
          <Input
            {...control}
            type="date"
            min={today}
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- it takes the place of the list just used
            autoFocus
            onChange={(event) => {
              // Half a date typed is no day yet.
              if (event.target.value >= today) onChoose(event.target.value);
            }}
            onBlur={() => setPicking(false)}
          />
        ) : (
          <Select
            {...control}
            value={day ?? none}
            onValueChange={(value) => {
              if (value === other) setPicking(true);
              else onChoose(value === none ? null : value);
            }}
            options={[
              { value: none, label: "No follow-up" },
              ...followUpDays(today, day).map((choice) => ({ value: choice.day, label: choice.label })),
              { value: other, label: "Pick a day…" },
            ]}
          />
        )
      }
    </Field>
  );
}
