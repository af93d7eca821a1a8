import { expect, test } from "vitest";
import { actionLabel, columnLabel, kindLabel, valueLabel } from "./audit-labels.ts";

test("shows actions, kinds and columns in words", () => {
  expect(["lead.created", "do-not-call.added"].map(actionLabel)).toEqual(["Lead created", "Do not call added"]);
  expect(
    ["leads", "phone_numbers", "memberships", "lead_notes", "lead_writes", "call_activities"].map(kindLabel),
  ).toEqual(["Lead", "Phone number", "Member", "Lead note", "Lead in the CRM", "Call in the CRM"]);
  expect(["owner_id", "first_name", "daily_spend"].map(columnLabel)).toEqual(["Owner", "First name", "Daily spend"]);
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
  expect(values.map((value) => valueLabel(value, how))).toEqual([
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
  expect(valueLabel(50_000_000, { ...how, column: "daily_spend" })).toBe("$50.00");
  expect(valueLabel(50_000_000, { ...how, column: "cost_micros" })).toBe("$50.00");
});
