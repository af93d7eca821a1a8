import { describe, expect, it } from "vitest";
import { LeadRecord, toCrmLead } from "./mapping.ts";

const record = { Id: "00Q5g00000000ABEAY", LastName: "Stone", SystemModstamp: "2026-01-31T09:30:00.000+0000" };
const read = (more: object) => toCrmLead(LeadRecord.parse({ ...record, ...more }));

describe("a lead record", () => {
  it("may lack everything but a name", () => {
    expect(read({ FirstName: null })).toEqual({
      externalId: record.Id,
      firstName: "",
      lastName: "Stone",
      email: "",
      phone: "",
      status: "New",
    });
    expect(read({ FirstName: " ", LastName: "" })).toBeNull();
  });

  it("is called on its phone, and on its mobile where it has no other", () => {
    expect(read({ Phone: "+1 202 555 0100", MobilePhone: "+1 202 555 0101" })?.phone).toBe("+1 202 555 0100");
    expect(read({ MobilePhone: "+1 202 555 0101" })?.phone).toBe("+1 202 555 0101");
  });

  it.each([
    ["Open - Not Contacted", "New"],
    ["New", "New"],
    ["Working - Contacted", "Working"],
    ["Attempted contact", "Working"],
    ["Nurturing", "Nurturing"],
    ["Closed - Converted", "Qualified"],
    ["Qualified", "Qualified"],
    ["Closed - Not Converted", "Unqualified"],
    ["Unqualified", "Unqualified"],
    ["Disqualified", "Unqualified"],
    ["Not interested", "Unqualified"],
    ["Something of our own", "New"],
    [null, "New"],
  ])("%s becomes %s", (Status, status) => expect(read({ Status })?.status).toBe(status));

  it("that was converted is qualified, whatever its status says", () => {
    expect(read({ Status: "Archived", IsConverted: true })?.status).toBe("Qualified");
  });
});
