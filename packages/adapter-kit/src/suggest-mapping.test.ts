import type { CrmField } from "@leadline/contract/crm-mapping";
import { expect, test } from "vitest";
import { suggestMapping } from "./suggest-mapping.ts";

const field = (name: string, kind: CrmField["kind"] = "text"): CrmField => ({ id: name, name, kind });
const nothing = {
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

test("maps fields by their names and kinds", () => {
  const fields = [
    field("Company"),
    field("Last name"),
    field("First name"),
    field("Fax", "phone"),
    field("Work phone", "phone"),
    field("Mail", "email"),
    field("Size", "choice"),
    field("Lead status", "choice"),
  ];
  expect(suggestMapping(fields)).toEqual({
    fullName: null,
    firstName: "First name",
    lastName: "Last name",
    email: "Mail",
    phone: "Work phone",
    company: "Company",
    jobTitle: null,
    status: "Lead status",
    owner: null,
    nextStep: null,
  });
});

test("takes as the owner a person or a text with such a name, and none of the lead's own details", () => {
  const fields = [field("Name"), field("Responsible", "person"), field("Contact", "person")];
  const of = { ...nothing, fullName: "Name", email: "Contact", phone: "Contact", owner: "Responsible" };
  expect(suggestMapping(fields)).toEqual(of);
  expect(suggestMapping([field("Name"), field("Lead owner")]).owner).toBe("Lead owner");
});

test("maps a single name field if there are no first and last names", () => {
  expect(suggestMapping([field("Company"), field("Name")])).toEqual({
    ...nothing,
    fullName: "Name",
    company: "Company",
  });
  expect(suggestMapping([field("Title"), field("Notes")])).toEqual({ ...nothing, fullName: "Title" });
});

test("takes from a referenced person what the record itself doesn't have", () => {
  const person = "Contact";
  expect(suggestMapping([field("Company"), field(person, "person"), field("Email", "email")])).toEqual({
    ...nothing,
    fullName: person,
    company: "Company",
    email: "Email",
    phone: person,
  });
  expect(suggestMapping([])).toEqual(nothing);
});
