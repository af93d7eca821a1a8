import type { CrmLead, CrmLeftOut } from "@leadline/adapter-kit/crm";
import type { CrmFieldMapping } from "@leadline/contract/crm-mapping";
import { expect, test } from "vitest";
import { Item, readItem } from "./mapping.ts";

const nothing: CrmFieldMapping = {
  fullName: null,
  firstName: null,
  lastName: null,
  email: null,
  phone: null,
  company: null,
  jobTitle: null,
  status: null,
  owner: null,
  nextStep: null,
};
const url = "https://podio.com/o/s/items/7";
const read = (given: Item, mapping: CrmFieldMapping): Partial<CrmLead & CrmLeftOut> =>
  readItem(given, { source: "1", sourceName: "Leads", fields: mapping, custom: [], statuses: {} }, url);
const item = (...fields: { field_id: number; type: string; values: Record<string, unknown>[] }[]) =>
  Item.parse({ item_id: 7, fields, current_revision: { created_on: "2026-03-29 14:05:00" } });
const text = (field_id: number, value: string) => ({ field_id, type: "text", values: [{ value }] });

test("splits a name in one field at its last space", () => {
  const lead = (name: string) => read(item(text(1, name)), { ...nothing, fullName: "1" });
  expect(lead("Ana Maria Costa")).toMatchObject({ firstName: "Ana Maria", lastName: "Costa" });
  expect(lead("Costa")).toMatchObject({ firstName: "", lastName: "Costa" });
});

test("strips markup from longer texts, but nothing that only looks like it", () => {
  const lead = read(item(text(1, "<p>Fox &amp; <b>Hound</b></p>")), { ...nothing, lastName: "1" });
  expect(lead.lastName).toBe("Fox & Hound");
  expect(read(item(text(1, "A < B")), { ...nothing, lastName: "1" }).lastName).toBe("A < B");
});

test("a contact field yields its name, first email address and first number", () => {
  const value = { name: "Uma Stone", mail: ["uma@example.com", "other@example.com"], phone: ["+12025550100"] };
  const person = item({ field_id: 2, type: "contact", values: [{ value }] });
  expect(read(person, { ...nothing, fullName: "2", email: "2", phone: "2" })).toMatchObject({
    firstName: "Uma",
    lastName: "Stone",
    email: "uma@example.com",
    phone: "+12025550100",
  });
});

test("an owner is a contact with an email, or a name in a text", () => {
  const value = { name: "Noor Blake", mail: ["noor.blake@sandbox.example"] };
  const person = { field_id: 2, type: "contact", values: [{ value }] };
  const mapping = { ...nothing, lastName: "1", owner: "2" };
  const owner = { name: "Noor Blake", email: "noor.blake@sandbox.example" };
  expect(read(item(text(1, "Costa"), person), mapping).owner).toEqual(owner);
  expect(read(item(text(1, "Costa"), text(2, "Noor")), mapping).owner).toEqual({ name: "Noor", email: "" });
  expect(read(item(text(1, "Costa")), mapping).owner).toBeNull();
});

test("maps a category to a status by its words", () => {
  const lead = (words: string) => {
    const stage = { field_id: 3, type: "category", values: [{ value: { id: 1, text: words } }] };
    return read(item(text(1, "Costa"), stage), { ...nothing, lastName: "1", status: "3" }).status;
  };
  expect(["Won", "Lost", "In progress", "Call later", "Anything"].map(lead)).toEqual([
    "Qualified",
    "Unqualified",
    "Working",
    "Nurturing",
    "New",
  ]);
});

test("an item without a name is named after its email or number, and one without any isn't a lead", () => {
  const mapping = { ...nothing, lastName: "1", email: "4", phone: "5" };
  const phone = { field_id: 5, type: "phone", values: [{ type: "work", value: "020 7946 0000" }] };
  expect(read(item(phone), mapping)).toMatchObject({ lastName: "020 7946 0000", phone: "020 7946 0000" });
  expect(read(item(), mapping)).toMatchObject({ externalId: "7", url, why: expect.stringMatching(/are empty/) });
});

test("reads the company and job title from their fields, and the link if it is Podio’s", () => {
  const lead = read(item(text(1, "Costa"), text(5, "Alder & Finch"), text(6, "Buyer")), {
    ...nothing,
    lastName: "1",
    company: "5",
    jobTitle: "6",
  });
  expect(lead).toMatchObject({ company: "Alder & Finch", jobTitle: "Buyer", url });
  const linked = (link: string) => Item.parse({ item_id: 7, fields: [], link }).link?.href ?? null;
  expect(linked(url)).toBe(url);
  expect(linked("https://evil.example/o/s/items/7")).toBeNull();
});

test("times are in UTC", () => {
  expect(item().editedMs).toBe(Date.UTC(2026, 2, 29, 14, 5));
});
