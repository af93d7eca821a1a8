import { dateLabel, dueLabel } from "../due-label.ts";
import { addDays } from "../format-time.ts";

export interface DayChoice {
  day: string;
  label: string;
}

const weekday = new Intl.DateTimeFormat(undefined, { weekday: "long", timeZone: "UTC" });

/** The days that reps choose most often, starting today, and the chosen day if it isn't one of them. */
export function followUpDays(today: string, chosen: string | null): DayChoice[] {
  const sinceMonday = (new Date(today).getUTCDay() + 6) % 7;
  const monday = addDays(today, 7 - sinceMonday);
  const named = (day: string, label: string): DayChoice => ({ day, label: `${label}, ${dateLabel(day, today)}` });
  const choices = [
    { day: today, label: "Today" },
    { day: addDays(today, 1), label: "Tomorrow" },
    named(addDays(today, 3), weekday.format(new Date(addDays(today, 3)))),
    named(monday, "Next Monday"),
    named(addDays(today, 7), "In a week"),
    named(addDays(today, 28), "In four weeks"),
  ];
  const distinct = choices.filter(({ day }, index) => choices.findIndex((choice) => choice.day === day) === index);
  const isOther = chosen !== null && !distinct.some(({ day }) => day === chosen);
  const late = isOther && chosen < today ? named(chosen, dueLabel(chosen, today)) : null;
  const other = isOther ? [late ?? { day: chosen, label: dueLabel(chosen, today) }] : [];
  return [...distinct, ...other].toSorted((a, b) => a.day.localeCompare(b.day));
}
