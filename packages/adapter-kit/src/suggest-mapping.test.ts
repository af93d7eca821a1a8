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
};

test("fields go by their names and kinds", () => {
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
  });
});

test("an owner is a person or a text that is called so, and no lead's own details", () => {
  const fields = [field("Name"), field("Responsible", "person"), field("Contact", "person")];
  const of = { ...nothing, fullName: "Name", email: "Contact", phone: "Contact", owner: "Responsible" };
  expect(suggestMapping(fields)).toEqual(of);
  expect(suggestMapping([field("Name"), field("Lead owner")]).owner).toBe("Lead owner");
});

test("without a first and a last name, a name is one field", () => {
  expect(suggestMapping([field("Company"), field("Name")])).toEqual({
    ...nothing,
    fullName: "Name",
    company: "Company",
  });
  expect(suggestMapping([field("Title"), field("Notes")])).toEqual({ ...nothing, fullName: "Title" });
});

test("a reference to a person brings all that is found nowhere else", () => {
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
