/** The given month and those before it, newest first. */
export function lastMonths(newest: string, count: number): string[] {
  const [year = 0, month = 0] = newest.split("-").map(Number);
  return Array.from({ length: count }, (_, back) =>
    new Date(Date.UTC(year, month - 1 - back)).toISOString().slice(0, 7),
  );
}

const name = new Intl.DateTimeFormat(undefined, { month: "long", year: "numeric", timeZone: "UTC" });

/** November 2026. */
export const monthName = (month: string): string => name.format(new Date(`${month}-01T00:00:00Z`));
