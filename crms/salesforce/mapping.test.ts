import { describe, expect, it } from "vitest";
import type { CrmLead, CrmLeftOut } from "@leadline/adapter-kit/crm";
import { defaultMapping, fieldsFor, LeadRecord, readLead } from "./mapping.ts";

const record = { Id: "00Q5g00000000ABEAY", LastName: "Stone", SystemModstamp: "2026-01-31T09:30:00.000+0000" };
const url = `https://acme.my.salesforce.com/lightning/r/Lead/${record.Id}/view`;
const read = (more: object, mapping = defaultMapping): Partial<CrmLead & CrmLeftOut> =>
  readLead(LeadRecord.parse({ ...record, ...more }), { shown: "https://acme.my.salesforce.com", mapping });

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
      nextStep: "",
      status: "New",
      statusValue: "Status\n",
      owner: null,
      url,
      version: "2026-01-31T09:30:00.000Z",
      customFields: [],
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
    const converted = read({ Status: "Archived", IsConverted: true });
    // Another value of the same field: a status set here gives way to it.
    expect(converted).toMatchObject({ status: "Qualified", statusValue: "Status\nconverted" });
  });

  it("is read by another mapping: other fields, further ones with their labels, and its own statuses", () => {
    const mapping = {
      ...defaultMapping,
      fields: {
        ...defaultMapping.fields,
        firstName: null,
        lastName: null,
        fullName: "Name",
        phone: "Desk__c",
        owner: "Rep__c",
      },
      custom: [
        { id: "Tier__c", name: "Tier", labels: { a: "Gold" } },
        { id: "Topics__c", name: "Topics", labels: { x: "Tea" } },
        { id: "Partner__c", name: "Partner", labels: {} },
        { id: "Seats__c", name: "Seats", labels: {} },
        { id: "Empty__c", name: "Empty", labels: {} },
        { id: "OwnerId", name: "Lead Owner", labels: {} },
      ],
      statuses: { Archived: "Nurturing" as const },
    };
    const values = {
      Name: "Bob van Stone",
      Desk__c: "1",
      MobilePhone: "2",
      Rep__c: "noor@x.example",
      Status: "Archived",
    };
    const more = { Tier__c: "a", Topics__c: "x;y", Partner__c: true, Seats__c: 12, Owner: { Name: "Web leads" } };
    expect(read({ ...values, ...more }, mapping)).toMatchObject({
      firstName: "Bob van",
      lastName: "Stone",
      phone: "1",
      owner: { name: "noor@x.example", email: "noor@x.example" },
      status: "Nurturing",
      customFields: [
        { name: "Tier", value: "Gold" },
        { name: "Topics", value: "Tea, y" },
        { name: "Partner", value: "Yes" },
        { name: "Seats", value: "12" },
        { name: "Lead Owner", value: "Web leads" },
      ],
    });
    expect(read({ Name: "Bob", Status: "constructor" }, mapping).status).toBe("New");
    expect(fieldsFor(mapping)).toEqual(
      "Id IsConverted SystemModstamp Name Email Desk__c Company Title Status Rep__c Tier__c Topics__c Partner__c Seats__c Empty__c Owner.Name Owner.Email".split(
        " ",
      ),
    );
  });

  it.each(["Id FROM User", "a,b", "Owner.Name", "x'", ""])("that maps the field %j is asked for by no query", (id) => {
    const custom = [{ id, name: "x", labels: {} }];
    expect(() => fieldsFor({ ...defaultMapping, custom })).toThrow("has no valid name");
  });
});
