import { describe, expect, it } from "vitest";
import type { CrmLead, CrmLeftOut } from "@leadline/adapter-kit/crm";
import { LeadRecord, readLead } from "./mapping.ts";

const record = { Id: "00Q5g00000000ABEAY", LastName: "Stone", SystemModstamp: "2026-01-31T09:30:00.000+0000" };
const url = `https://acme.my.salesforce.com/lightning/r/Lead/${record.Id}/view`;
const read = (more: object): Partial<CrmLead & CrmLeftOut> =>
  readLead(LeadRecord.parse({ ...record, ...more }), "https://acme.my.salesforce.com");

describe("a lead record", () => {
  it("may lack everything but a name", () => {
    expect(read({ FirstName: null })).toEqual({
      externalId: record.Id,
      firstName: "",
      lastName: "Stone",
      email: "",
      phone: "",
      company: "",
      jobTitle: "",
      status: "New",
      owner: null,
      url,
    });
    expect(read({ FirstName: " ", LastName: "" })).toEqual({ externalId: record.Id, why: "It has no name.", url });
  });

  it("brings its company and title", () => {
    const job = { company: "Alder & Finch", jobTitle: "Buyer" };
    expect(read({ Company: job.company, Title: job.jobTitle })).toMatchObject(job);
  });

  it("brings its owner: a user with an email, or a queue without one", () => {
    const user = { Name: "Noor Blake", Email: "noor.blake@sandbox.example" };
    expect(read({ Owner: user }).owner).toEqual({ name: user.Name, email: user.Email });
    expect(read({ Owner: { Name: "Web leads", Email: null } }).owner).toEqual({ name: "Web leads", email: "" });
  });

  it("is called on its phone, and on its mobile where it has no other", () => {
    expect(read({ Phone: "+1 202 555 0100", MobilePhone: "+1 202 555 0101" }).phone).toBe("+1 202 555 0100");
    expect(read({ MobilePhone: "+1 202 555 0101" }).phone).toBe("+1 202 555 0101");
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
  ])("%s becomes %s", (Status, status) => expect(read({ Status }).status).toBe(status));

  it("that was converted is qualified, whatever its status says", () => {
    expect(read({ Status: "Archived", IsConverted: true }).status).toBe("Qualified");
  });
});
