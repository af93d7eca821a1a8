import { type OpeningHours, Weekday } from "@leadline/contract/organisations";
import { CircleAlert } from "lucide-react";
import { useId } from "react";
import { Checkbox } from "../ui/checkbox.tsx";
import { Input } from "../ui/input.tsx";

const dayNames = {
  monday: "Monday",
  tuesday: "Tuesday",
  wednesday: "Wednesday",
  thursday: "Thursday",
  friday: "Friday",
  saturday: "Saturday",
  sunday: "Sunday",
} as const satisfies Record<Weekday, string>;

/** Without the browser's clock icon, as AM or PM needs the space. */
const timeLook = "w-24 px-2.5 tabular-nums max-md:w-28 [&::-webkit-calendar-picker-indicator]:hidden";

/** For two valid times. */
const isSpan = ({ opensAt, closesAt }: { opensAt: string; closesAt: string }): boolean =>
  opensAt !== "" && opensAt < closesAt;

interface OpeningHoursFieldProps {
  label: string;
  /** Without and with hours. */
  help: readonly [always: string, within: string];
  value: OpeningHours;
  onChange: (value: OpeningHours) => void;
  disabled: boolean;
  message: string | undefined;
}

/** One row per day: open or not, and from when to when. */
export function OpeningHoursField({ label, help, value, onChange, disabled, message }: OpeningHoursFieldProps) {
  const noteId = useId();
  const hoursOf = (day: Weekday) => value.find((open) => open.day === day);
  const set = (day: Weekday, hours: { opensAt: string; closesAt: string } | null) =>
    onChange(
      Weekday.options.flatMap((each) => {
        if (each !== day) return hoursOf(each) ?? [];
        return hours === null ? [] : { day, ...hours };
      }),
    );
  return (
    <fieldset disabled={disabled} aria-describedby={noteId} className="flex flex-col gap-1.5">
      <legend className="pb-1.5 text-sm font-medium">{label}</legend>
      <div className="rounded-md border border-line bg-panel">
        {Weekday.options.map((day) => {
          const hours = hoursOf(day);
          const name = dayNames[day];
          const isWrong = message !== undefined && hours !== undefined && !isSpan(hours);
          const fault = isWrong ? ({ "aria-invalid": true, "aria-describedby": noteId } as const) : {};
          return (
            <div
              key={day}
              className="flex min-h-12 flex-wrap items-center justify-between gap-x-3 gap-y-1 border-b border-line px-3 py-1.5 last:border-b-0 max-md:min-h-14"
            >
              <Checkbox
                label={name}
                checked={hours !== undefined}
                onChange={(open) => set(day, open ? { opensAt: "09:00", closesAt: "17:00" } : null)}
              />
              {hours ? (
                <span className="flex items-center gap-2 text-table text-ink-soft max-md:pl-7">
                  <Input
                    type="time"
                    aria-label={`${name} from`}
                    className={timeLook}
                    {...fault}
                    value={hours.opensAt}
                    onChange={(event) => set(day, { ...hours, opensAt: event.target.value })}
                  />
                  to
                  <Input
                    type="time"
                    aria-label={`${name} to`}
                    className={timeLook}
                    {...fault}
                    value={hours.closesAt}
                    onChange={(event) => set(day, { ...hours, closesAt: event.target.value })}
                  />
                </span>
              ) : (
                value.length > 0 && <span className="text-table text-ink-soft">Closed</span>
              )}
            </div>
          );
        })}
      </div>
      {message ? (
        <p id={noteId} role="alert" className="flex items-start gap-1.5 text-table text-fault">
          <CircleAlert className="mt-0.5 size-4 shrink-0" aria-hidden="true" />
          {message}
        </p>
      ) : (
        <p id={noteId} className="text-table text-ink-soft">
          {value.length === 0 ? help[0] : help[1]}
        </p>
      )}
    </fieldset>
  );
}
