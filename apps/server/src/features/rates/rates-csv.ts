import { RateInput } from "@leadline/contract/rates";

/** The columns of an export, in this order. An import needs the first two. */
export const rateColumns = [
  { field: "prefix", header: "Prefix", alsoCalled: ["code", "dial code", "dialling code", "destination code"] },
  { field: "perMinute", header: "Price per minute (USD)", alsoCalled: ["price per minute", "price", "rate", "cost"] },
  { field: "description", header: "Destination", alsoCalled: ["description", "name", "country"] },
  {
    field: "connectionFee",
    header: "Connection fee (USD)",
    alsoCalled: ["connection fee", "connect fee", "setup fee"],
  },
  { field: "increment", header: "Increment", alsoCalled: ["billing increment", "billing"] },
  {
    field: "effectiveFrom",
    header: "Effective from",
    alsoCalled: ["effective date", "effective", "valid from", "date"],
  },
] as const;
type Field = (typeof rateColumns)[number]["field"];
export type RateColumns = Partial<Record<Field, number>>;

const plain = (header: string): string =>
  header
    .trim()
    .toLowerCase()
    .replaceAll(/[_\s]+/g, " ");

/** Maps columns by their headers. Returns a sentence if a required one is missing. */
export function findRateColumns(headers: readonly string[]): RateColumns | { missing: string } {
  const found: RateColumns = {};
  const named = headers.map(plain);
  for (const { field, header, alsoCalled } of rateColumns) {
    const column = [plain(header), ...alsoCalled].map((name) => named.indexOf(name)).find((index) => index >= 0);
    if (column !== undefined) found[field] = column;
  }
  if (found.prefix === undefined) return { missing: "It has no column named “Prefix”." };
  if (found.perMinute === undefined) return { missing: "It has no column named “Price per minute (USD)”." };
  return found;
}

/** Exact: 0.0135 is 13,500. Null if it isn't an amount with at most six decimals. */
function microsOf(typed: string): number | null {
  const match = /^\$?(\d{1,9})(?:[.,](\d{1,6}))?0*$/.exec(typed.trim());
  return match === null ? null : Number(match[1]) * 1_000_000 + Number((match[2] ?? "").padEnd(6, "0"));
}

const defaultIncrement = "60/60";
const wrongPrefix = "Enter the first digits of a number, such as 4930, or “all” for all numbers.";

/** Parses a row as a rate, or returns what is wrong with it. `today` is the default date. */
export function readRateRow(
  cells: readonly string[],
  columns: RateColumns,
  today: string,
): { rate: RateInput } | { message: string } {
  const cell = (field: Field): string => {
    const column = columns[field];
    // Remove the apostrophe that an export puts before cells a spreadsheet would execute.
    return (column === undefined ? "" : (cells[column] ?? "")).trim().replace(/^'(?=[=+\-@])/, "");
  };
  const perMinuteMicros = microsOf(cell("perMinute"));
  if (cell("perMinute") === "") return { message: "Enter a price." };
  if (perMinuteMicros === null) return { message: `“${cell("perMinute").slice(0, 40)}” is not a price.` };
  const connectionFeeMicros = microsOf(cell("connectionFee") || "0");
  if (connectionFeeMicros === null) return { message: `“${cell("connectionFee").slice(0, 40)}” is not a fee.` };
  const increment = /^(\d{1,4})(?:\s*\/\s*(\d{1,4}))?$/.exec(cell("increment") || defaultIncrement);
  if (increment === null) return { message: `Enter the increment as ${defaultIncrement}: first and next seconds.` };
  const parsed = RateInput.safeParse({
    // "All numbers", as an export writes it.
    prefix: cell("prefix").toLowerCase() === "all" ? "" : cell("prefix"),
    description: cell("description"),
    effectiveFrom: cell("effectiveFrom") || today,
    perMinuteMicros,
    connectionFeeMicros,
    firstSeconds: Number(increment[1]),
    nextSeconds: Number(increment[2] ?? increment[1]),
  });
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return { message: issue?.path[0] === "prefix" ? wrongPrefix : (issue?.message ?? "It can’t be read.") };
  }
  if (parsed.data.prefix === "" && cell("prefix").toLowerCase() !== "all") return { message: wrongPrefix };
  return { rate: parsed.data };
}

const dollars = (micros: number): string =>
  `${Math.floor(micros / 1_000_000)}.${String(micros % 1_000_000).padStart(6, "0")}`;

export const toRateRow = (rate: RateInput): string[] => [
  rate.prefix === "" ? "all" : rate.prefix,
  dollars(rate.perMinuteMicros),
  rate.description,
  dollars(rate.connectionFeeMicros),
  `${rate.firstSeconds}/${rate.nextSeconds}`,
  rate.effectiveFrom,
];
