import type { Statistics } from "@leadline/contract/statistics";
import { ToggleGroup } from "radix-ui";
import { laterPart } from "../../ui/later-part.tsx";
import { type Period, periods } from "./period.ts";

const Select = laterPart(() => import("../../ui/select.tsx"), "Select");

const everyone = "everyone";

interface PeriodPickersProps {
  period: Period;
  member: string | null;
  members: Statistics["members"];
  /** What the figures are compared with. */
  note: string | null;
  /** The figures' time zone, if it isn't the reader's. */
  otherTimeZone: string | null;
  onPeriod: (name: Period["name"]) => void;
  onMember: (userId: string | null) => void;
}

export function PeriodPickers({
  period,
  member,
  members,
  note,
  otherTimeZone,
  onPeriod,
  onMember,
}: PeriodPickersProps) {
  return (
    <div className="-mb-2 flex flex-wrap items-center gap-3">
      <ToggleGroup.Root
        type="single"
        aria-label="Period"
        value={period.name}
        onValueChange={(value) => {
          const chosen = periods.find(({ name }) => name === value);
          if (chosen) onPeriod(chosen.name);
        }}
        className="flex rounded-md border border-line bg-sunk p-0.5"
      >
        {periods.map(({ name, label }) => (
          <ToggleGroup.Item
            key={name}
            value={name}
            className="h-8 rounded-[6px] border border-transparent px-3 text-table font-medium text-ink-soft transition-colors hover:text-ink data-[state=on]:border-line data-[state=on]:bg-panel data-[state=on]:text-ink max-md:h-10"
          >
            {label}
          </ToggleGroup.Item>
        ))}
      </ToggleGroup.Root>
      {members.length > 1 || member !== null ? (
        <div className="h-9 w-48 max-md:h-11">
          <Select
            aria-label="Member"
            value={member ?? everyone}
            onValueChange={(value) => onMember(value === everyone ? null : value)}
            options={[
              { value: everyone, label: "Everyone" },
              ...members.map(({ userId, name }) => ({ value: userId, label: name })),
            ]}
          />
        </div>
      ) : null}
      {note || otherTimeZone ? (
        <div className="text-xs text-ink-soft tabular-nums">
          {note ? <p>{note}</p> : null}
          {otherTimeZone ? (
            <p>Days and hours are in your organisation’s time zone, {otherTimeZone.replaceAll("_", " ")}</p>
          ) : null}
        </div>
      ) : null}
    </div>
  );
}
