import { expect, test } from "vitest";
import { Item, toCrmLead } from "./mapping.ts";

const nothing = { fullName: null, firstName: null, lastName: null, email: null, phone: null, status: null };
const item = (...fields: { field_id: number; type: string; values: Record<string, unknown>[] }[]) =>
  Item.parse({ item_id: 7, fields, current_revision: { created_on: "2026-03-29 14:05:00" } });
const text = (field_id: number, value: string) => ({ field_id, type: "text", values: [{ value }] });

test("a name in one field is split at its last space", () => {
  const lead = (name: string) => toCrmLead(item(text(1, name)), { ...nothing, fullName: "1" });
  expect(lead("Ana Maria Costa")).toMatchObject({ firstName: "Ana Maria", lastName: "Costa" });
  expect(lead("Costa")).toMatchObject({ firstName: "", lastName: "Costa" });
});

test("longer texts lose their marks, and nothing that only looks like one", () => {
  const lead = toCrmLead(item(text(1, "<p>Fox &amp; <b>Hound</b></p>")), { ...nothing, lastName: "1" });
  expect(lead?.lastName).toBe("Fox & Hound");
  expect(toCrmLead(item(text(1, "A < B")), { ...nothing, lastName: "1" })?.lastName).toBe("A < B");
});

test("a contact brings its name, its first address and its first number", () => {
  const value = { name: "Uma Stone", mail: ["uma@example.com", "other@example.com"], phone: ["+12025550100"] };
  const person = item({ field_id: 2, type: "contact", values: [{ value }] });
  expect(toCrmLead(person, { ...nothing, fullName: "2", email: "2", phone: "2" })).toMatchObject({
    firstName: "Uma",
    lastName: "Stone",
    email: "uma@example.com",
    phone: "+12025550100",
  });
});

test("a category becomes a status by its words", () => {
  const lead = (words: string) => {
    const stage = { field_id: 3, type: "category", values: [{ value: { id: 1, text: words } }] };
    return toCrmLead(item(text(1, "Costa"), stage), { ...nothing, lastName: "1", status: "3" })?.status;
  };
  expect(["Won", "Lost", "In progress", "Call later", "Anything"].map(lead)).toEqual([
    "Qualified",
    "Unqualified",
    "Working",
    "Nurturing",
    "New",
  ]);
});

test("an item without a name goes by its address or number, and one with nothing is no lead", () => {
  const mapping = { ...nothing, lastName: "1", email: "4", phone: "5" };
  const phone = { field_id: 5, type: "phone", values: [{ type: "work", value: "020 7946 0000" }] };
  expect(toCrmLead(item(phone), mapping)).toMatchObject({ lastName: "020 7946 0000", phone: "020 7946 0000" });
  expect(toCrmLead(item(), mapping)).toBeNull();
});

test("times are in UTC", () => {
  expect(item().editedMs).toBe(Date.UTC(2026, 2, 29, 14, 5));
});
