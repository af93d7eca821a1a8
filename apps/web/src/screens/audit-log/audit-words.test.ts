import { expect, test } from "vitest";
import { actionWords, columnWords, kindWords, valueWords } from "./audit-words.ts";

test("shows actions, kinds and columns in words", () => {
  expect(["lead.created", "do-not-call.added"].map(actionWords)).toEqual(["Lead created", "Do not call added"]);
  expect(
    ["leads", "phone_numbers", "memberships", "lead_notes", "lead_writes", "call_activities"].map(kindWords),
  ).toEqual(["Lead", "Phone number", "Member", "Lead note", "Lead in the CRM", "Call in the CRM"]);
  expect(["owner_id", "first_name", "daily_spend"].map(columnWords)).toEqual(["Owner", "First name", "Daily spend"]);
});

test("formats values for people", () => {
  const how = { column: "name", people: { "a-person": "Robin Tester" }, time: () => "today" };
  const values = [
    null,
    "",
    true,
    12,
    "a-person",
    "2026-01-02T03:04:05+00:00",
    "2026-01-02",
    ["DE", "FR"],
    [],
    { lastName: 1, isOn: false },
  ];
  expect(values.map((value) => valueWords(value, how))).toEqual([
    "empty",
    "empty",
    "Yes",
    (12).toLocaleString(),
    "Robin Tester",
    "today",
    "2026-01-02",
    "DE, FR",
    "empty",
    "Last name: 1, Is on: No",
  ]);
  expect(valueWords(50_000_000, { ...how, column: "daily_spend" })).toBe("$50.00");
  expect(valueWords(50_000_000, { ...how, column: "cost_micros" })).toBe("$50.00");
});
