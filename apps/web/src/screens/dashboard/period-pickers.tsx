import type { Statistics } from "@leadline/contract/statistics";
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
      <div role="radiogroup" aria-label="Period" className="flex rounded-md border border-line bg-sunk p-0.5">
        {periods.map(({ name, label }) => (
          <label
            key={name}
            className="relative flex h-8 items-center rounded-[6px] border border-transparent px-3 text-table font-medium text-ink-soft transition-colors hover:text-ink has-checked:border-line has-checked:bg-panel has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-brand max-md:h-10"
          >
            <input
              type="radio"
              name="period"
              checked={name === period.name}
              onChange={() => onPeriod(name)}
              className="absolute inset-0 cursor-pointer opacity-0"
            />
            {label}
          </label>
        ))}
      </div>
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
