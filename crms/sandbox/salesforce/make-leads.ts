import { makePeople, nextSteps, type Person } from "../make-people.ts";
import { contactOfLead, recordId } from "./record-id.ts";

export interface SandboxLead {
  Id: string;
  FirstName: string | null;
  LastName: string;
  Company: string;
  Title: string;
  Email: string | null;
  Phone: string | null;
  MobilePhone: string | null;
  Status: string;
  LeadSource: string | null;
  /** Fields that this organisation made for itself. */
  Budget__c: number | null;
  Next_Step__c: string | null;
  IsConverted: boolean;
  ConvertedContactId: string | null;
  OwnerId: string;
  /** Milliseconds since 1970. */
  CreatedDate: number;
  LastModifiedDate: number;
  SystemModstamp: number;
}

/** People of the organisation, and a queue, which has no email. The last one owns no lead at first. */
export const users = [
  { Id: recordId("005", 1), Name: "Noor Blake", Email: "noor.blake@sandbox.example" },
  { Id: recordId("005", 2), Name: "Sam Ortiz", Email: "sam.ortiz@sandbox.example" },
  { Id: recordId("00G", 1), Name: "Web leads", Email: null },
  { Id: recordId("005", 3), Name: "Ida Holm", Email: "ida.holm@sandbox.example" },
] as const;

/** As queries answer them. */
export const owners = {
  User: users.filter(({ Email }) => Email !== null).map((user) => ({ ...user, IsActive: true })),
  Group: users.filter(({ Email }) => Email === null).map(({ Id, Name }) => ({ Id, Name, Type: "Queue" })),
};

/** As a query answers the relationship Owner. */
export function ownerFields(ownerId: string): { "Owner.Name": string | null; "Owner.Email": string | null } {
  const owner = users.find(({ Id }) => Id === ownerId);
  return { "Owner.Name": owner?.Name ?? null, "Owner.Email": owner?.Email ?? null };
}

export const leadSources = ["Web", "Phone Inquiry", "Partner Referral", "Purchased List"] as const;
export const statuses = {
  new: "Open - Not Contacted",
  contacted: "Working - Contacted",
  lost: "Closed - Not Converted",
  won: "Closed - Converted",
} as const satisfies Record<Person["stage"], string>;

export const makeLeads = (nowMs: number, count?: number): SandboxLead[] =>
  makePeople(nowMs, count).map((person, index) => ({
    Id: recordId("00Q", index + 1),
    FirstName: person.firstName,
    LastName: person.lastName,
    Company: person.company,
    Title: person.title,
    Email: person.email,
    Phone: person.phone,
    MobilePhone: person.mobilePhone,
    Status: statuses[person.stage],
    LeadSource: leadSources[index % (leadSources.length + 1)] ?? null,
    Budget__c: index % 4 === 3 ? null : 1_000 * (1 + (index % 25)),
    Next_Step__c: nextSteps[index % (nextSteps.length + 1)] ?? null,
    IsConverted: person.stage === "won",
    ConvertedContactId: person.stage === "won" ? contactOfLead(recordId("00Q", index + 1)) : null,
    OwnerId: (users[index % 3] ?? users[0]).Id,
    CreatedDate: person.createdMs,
    LastModifiedDate: person.createdMs,
    SystemModstamp: person.createdMs,
  }));
