import { openSandboxStore, type SandboxStore } from "@leadline/adapter-kit/sandbox-store";
import { z } from "zod";
import { makeLeads } from "./make-leads.ts";
import { contactOfLead } from "./record-id.ts";

const Lead = z
  .object({
    Id: z.string(),
    FirstName: z.string().nullable(),
    LastName: z.string(),
    Company: z.string(),
    Title: z.string(),
    Email: z.string().nullable(),
    Phone: z.string().nullable(),
    MobilePhone: z.string().nullable(),
    Status: z.string(),
    LeadSource: z.string().nullable(),
    Budget__c: z.number().nullable(),
    Next_Step__c: z.string().nullable().default(null),
    IsConverted: z.boolean(),
    OwnerId: z.string(),
    CreatedDate: z.number(),
    LastModifiedDate: z.number(),
    SystemModstamp: z.number(),
    ConvertedContactId: z.string().nullish(),
  })
  // A state stored by an earlier version has no contacts.
  .transform(({ ConvertedContactId: contact = null, ...lead }) => ({
    ...lead,
    ConvertedContactId: contact ?? (lead.IsConverted ? contactOfLead(lead.Id) : null),
  }));
const Task = z.object({
  Id: z.string(),
  WhoId: z.string().nullable(),
  Subject: z.string().nullable(),
  Status: z.string(),
  ActivityDate: z.string().nullable(),
  TaskSubtype: z.string(),
  CallType: z.string().nullable(),
  CallDurationInSeconds: z.number().nullable(),
  CallDisposition: z.string().nullable(),
  CallObject: z.string().nullable(),
  Description: z.string().nullable(),
  CreatedDate: z.number(),
  LastModifiedDate: z.number(),
  SystemModstamp: z.number(),
});
export type SandboxTask = z.infer<typeof Task>;
const QueryJob = z.object({
  id: z.string(),
  object: z.string(),
  query: z.string(),
  state: z.enum(["UploadComplete", "InProgress", "Aborted", "JobComplete"]),
  lineEnding: z.enum(["LF", "CRLF"]),
  createdMs: z.number(),
  /** Once it is complete. */
  recordCount: z.number(),
});
export type QueryJob = z.infer<typeof QueryJob>;
/** One consent. Tokens are kept as their SHA-256. */
const Grant = z.object({
  refreshHash: z.string(),
  spentRefreshHashes: z.array(z.string()),
  accessHashes: z.array(z.string()),
});
const State = z.object({
  leads: z.array(Lead),
  deleted: z.array(z.object({ id: z.string(), deletedMs: z.number() })),
  tasks: z.array(Task).default([]),
  jobs: z.array(QueryJob).default([]),
  grants: z.array(Grant),
});
export type State = z.infer<typeof State>;
export type StoredGrant = z.infer<typeof Grant>;

export interface Store extends SandboxStore<State> {
  /** Saves what `work` changes as one. */
  together<T>(work: () => T): T;
}

export function openStore(file: string | null, leadCount: number): Store {
  const { state, save } = openSandboxStore(file, {
    begin: (): State => ({ leads: makeLeads(Date.now(), leadCount), deleted: [], tasks: [], jobs: [], grants: [] }),
    read: (kept) => State.parse(kept),
  });
  let isHeld = false;
  return {
    state,
    save() {
      if (!isHeld) save();
    },
    together(work) {
      isHeld = true;
      try {
        return work();
      } finally {
        isHeld = false;
        save();
      }
    },
  };
}
