import { formatExactCost } from "../../components/format-money.ts";

/** lead.created: “Lead created”. */
export const actionLabel = (action: string): string => sentence(action.replaceAll(/[.-]/g, " "));

const kinds: Record<string, string> = {
  call_activities: "Call in the CRM",
  calls: "Call",
  crm_grants: "CRM access",
  do_not_call: "Do-not-call entry",
  erased_leads: "Erasure",
  lead_writes: "Lead in the CRM",
  memberships: "Member",
  organisations: "Organisation",
  passwords: "Password",
  users: "Account",
};
/** phone_numbers: “Phone number”. */
export const kindLabel = (kind: string): string =>
  kinds[kind] ?? sentence(kind.replaceAll("_", " ").replace(/ies$/, "y").replace(/s$/, ""));

/** owner_id: “Owner”, lastName: “Last name”. */
export const columnLabel = (column: string): string =>
  sentence(
    column
      .replace(/_id$/, "")
      .replace(/_micros$/, "")
      .replaceAll("_", " ")
      .replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`),
  );

const isTimestamp = (text: string): boolean => /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text);

const moneyColumns =
  /_micros$|^(daily_spend|rate_per_minute|low_below|top_up_below|top_up_amount|month_limit|monthly_cost|upfront_cost|amount|paid|refunded|charged_back)$/;

interface Reading {
  column: string;
  people: Record<string, string>;
  time: (timestamp: string) => string;
}

/** A value for people: a member's id as their name, micros as dollars, a list with commas. */
export function valueLabel(value: unknown, { column, people, time }: Reading): string {
  if (value === undefined || value === null || value === "") return "empty";
  if (typeof value === "boolean") return value ? "Yes" : "No";
  if (typeof value === "number") return moneyColumns.test(column) ? formatExactCost(value) : value.toLocaleString();
  if (typeof value === "object") {
    const words = (each: unknown, name: string) => valueLabel(each, { column: name, people, time });
    const parts = Array.isArray(value)
      ? value.map((each) => words(each, column))
      : Object.entries(value).map(([name, each]) => `${columnLabel(name)}: ${words(each, name)}`);
    return parts.join(", ") || "empty";
  }
  if (typeof value !== "string") return JSON.stringify(value);
  return people[value] ?? (isTimestamp(value) ? time(value) : value);
}

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
