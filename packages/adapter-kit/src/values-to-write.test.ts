import { describe, expect, test } from "vitest";
import type { CrmLeadChange } from "./crm-lead-writer.ts";
import { valuesToWrite } from "./values-to-write.ts";

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
const bob: CrmLeadChange["values"] = {
  firstName: "Bob",
  lastName: "Stone",
  email: "bob@stone.example",
  phone: "+12025550100",
  company: "Quarry",
  jobTitle: "",
  nextStep: "",
  status: "Hot",
  owner: "",
};
const write = (fields: object, changed: CrmLeadChange["changed"]) =>
  Object.fromEntries(valuesToWrite({ fields: { ...nothing, ...fields } }, { values: bob, changed }));

describe("the values to write", () => {
  test("are those of the changed fields that are mapped, and empty ones too", () => {
    expect(write({ email: "Email", company: "Company", jobTitle: "Title" }, ["email", "jobTitle", "phone"])).toEqual({
      Email: "bob@stone.example",
      Title: "",
    });
  });

  test("have the whole name if one of its parts has changed and the CRM has one field for it", () => {
    expect(write({ fullName: "Name" }, ["lastName"])).toEqual({ Name: "Bob Stone" });
    expect(write({ fullName: "Name", firstName: "Given" }, ["firstName"])).toEqual({ Given: "Bob" });
    expect(write({ fullName: "Name" }, ["email"])).toEqual({});
  });
});
