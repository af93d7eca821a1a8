import { expect, it } from "vitest";
import type { CrmLead, CrmLeftOut } from "@leadline/adapter-kit/crm";
import { ContactRecord, defaultMapping, propertiesFor, readContact } from "./mapping.ts";

const url = "https://app.hubspot.com/contacts/1/record/0-1/7";
const noor = { name: "Noor Blake", email: "noor.blake@sandbox.example" };
const owners = new Map([["41", noor]]);
const lead = (properties: Record<string, string | null>, mapping = defaultMapping): Partial<CrmLead & CrmLeftOut> =>
  readContact(ContactRecord.parse({ id: "7", properties: { lastname: "Frost", ...properties } }), {
    url,
    owners,
    mapping,
  });

it("uses the mobile number if there is no other, and is empty if there is none", () => {
  expect(lead({ phone: null, mobilephone: "+1 202 555 0100" })).toMatchObject({ phone: "+1 202 555 0100", email: "" });
  expect(lead({ phone: "1", mobilephone: "2" })).toMatchObject({ externalId: "7", phone: "1" });
});

it("reads the company, the job title and the contact's page", () => {
  const job = { company: "Alder & Finch", jobTitle: "Buyer" };
  expect(lead({ company: job.company, jobtitle: job.jobTitle })).toMatchObject({ ...job, url });
});

it("names its owner, and nobody if the account no longer has that owner", () => {
  expect(lead({ hubspot_owner_id: "41" }).owner).toEqual(noor);
  expect(lead({ hubspot_owner_id: "42" }).owner).toBeNull();
  expect(lead({}).owner).toBeNull();
});

it("names a contact without a name by its email or number, and skips one without any", () => {
  expect(lead({ lastname: null, email: "nia@frost.example" })).toMatchObject({ lastName: "nia@frost.example" });
  expect(lead({ lastname: " ", phone: "+12025550100" })).toMatchObject({ lastName: "+12025550100" });
  expect(lead({ lastname: null, firstname: "Nia", email: "nia@frost.example" })).toMatchObject({ lastName: "" });
  expect(lead({ lastname: null })).toEqual({
    externalId: "7",
    why: "It has no name, email or phone number.",
    url,
  });
});

it.each([
  [null, "New"],
  ["NEW", "New"],
  ["OPEN", "New"],
  ["IN_PROGRESS", "Working"],
  ["ATTEMPTED_TO_CONTACT", "Working"],
  ["CONNECTED", "Working"],
  ["OPEN_DEAL", "Qualified"],
  ["BAD_TIMING", "Nurturing"],
  ["UNQUALIFIED", "Unqualified"],
  ["Not interested", "Unqualified"],
])("reads the lead status %s as %s", (hs_lead_status, status) => {
  expect(lead({ hs_lead_status }).status).toBe(status);
});

it("is read with another mapping: other properties, further ones as text, and its own statuses", () => {
  const mapping = {
    ...defaultMapping,
    fields: { ...defaultMapping.fields, phone: "desk", status: "lifecyclestage", owner: "rep" },
    custom: [
      { id: "lifecyclestage", name: "Stage", labels: { lead: "Lead" } },
      { id: "topics", name: "Topics", labels: { x: "Tea" } },
      { id: "hubspot_owner_id", name: "Contact owner", labels: {} },
      { id: "budget", name: "Budget", labels: {} },
    ],
    statuses: { lead: "Working" as const },
  };
  const values = {
    desk: "1",
    mobilephone: "2",
    lifecyclestage: "lead",
    rep: "Ada",
    topics: "x;y",
    hubspot_owner_id: "41",
  };
  expect(lead(values, mapping)).toMatchObject({
    phone: "1",
    owner: { name: "Ada", email: "" },
    status: "Working",
    customFields: [
      { name: "Stage", value: "Lead" },
      { name: "Topics", value: "Tea, y" },
      { name: "Contact owner", value: "Noor Blake" },
    ],
  });
  expect(propertiesFor(mapping)).toEqual(
    "hs_merged_object_ids lastmodifieddate firstname lastname email desk company jobtitle lifecyclestage rep topics hubspot_owner_id budget".split(
      " ",
    ),
  );
  expect(() => propertiesFor({ ...mapping, custom: [{ id: "a&b", name: "", labels: {} }] })).toThrow("no valid name");
});
