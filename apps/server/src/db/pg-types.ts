import { type CustomTypesConfig, types } from "pg";

/** PostgreSQL's ISO output in a UTC session: "2026-01-31 09:30:00.123456+00". */
function toRfc3339(text: string): string {
  return `${text.slice(0, 10)}T${text.slice(11, text.length - 3)}Z`;
}

function toSafeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError("a bigint from the database does not fit a number");
  return value;
}

const { builtins } = types;
const parsers = new Map<number, (text: string) => unknown>([
  // Creating a Date per cell halves a list's throughput, and drops the microseconds.
  [builtins.TIMESTAMPTZ, (text) => (text.endsWith("+00") ? toRfc3339(text) : text)],
  [builtins.DATE, (text) => text],
  [builtins.INT8, toSafeInteger],
]);

/** Only for our own connections: pg-boss, in the same process, expects the driver's defaults. */
export const pgTypes: CustomTypesConfig = {
  getTypeParser: (oid: number, format?: string) =>
    format === "binary" ? types.getTypeParser(oid, "binary") : (parsers.get(oid) ?? types.getTypeParser(oid)),
};
