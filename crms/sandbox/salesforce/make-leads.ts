import { makePeople, type Person } from "../make-people.ts";
import { recordId } from "./record-id.ts";

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
  IsConverted: boolean;
  /** Milliseconds since 1970. */
  CreatedDate: number;
  LastModifiedDate: number;
  SystemModstamp: number;
}

const statuses = {
  new: "Open - Not Contacted",
  contacted: "Working - Contacted",
  lost: "Closed - Not Converted",
  won: "Closed - Converted",
} as const satisfies Record<Person["stage"], string>;

export const makeLeads = (nowMs: number): SandboxLead[] =>
  makePeople(nowMs).map((person, index) => ({
    Id: recordId("00Q", index + 1),
    FirstName: person.firstName,
    LastName: person.lastName,
    Company: person.company,
    Title: person.title,
    Email: person.email,
    Phone: person.phone,
    MobilePhone: person.mobilePhone,
    Status: statuses[person.stage],
    IsConverted: person.stage === "won",
    CreatedDate: person.createdMs,
    LastModifiedDate: person.createdMs,
    SystemModstamp: person.createdMs,
  }));
