import { type OpeningHours, Weekday } from "@leadline/contract/organisations";

const dayMs = 86_400_000;
const mondayToFriday: readonly Weekday[] = Weekday.options.slice(0, 5);

/** The first day after today on which the organisation is open, or Monday to Friday if it never is. Calendar days. */
export function nextWorkingDay(today: string, openingHours: OpeningHours): string {
  const open = openingHours.length > 0 ? openingHours.map(({ day }) => day) : mondayToFriday;
  const isOpen = (day: Date) => open.some((weekday) => Weekday.options.indexOf(weekday) === (day.getUTCDay() + 6) % 7);
  let day = new Date(Date.parse(today) + dayMs);
  while (!isOpen(day)) day = new Date(day.getTime() + dayMs);
  return day.toISOString().slice(0, 10);
}
