import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { z } from "zod";
import { makeLeads } from "./make-leads.ts";

const Lead = z.object({
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
  IsConverted: z.boolean(),
  OwnerId: z.string(),
  CreatedDate: z.number(),
  LastModifiedDate: z.number(),
  SystemModstamp: z.number(),
});
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
  grants: z.array(Grant),
});
export type State = z.infer<typeof State>;
export type StoredGrant = z.infer<typeof Grant>;

export interface Store {
  state: State;
  /** Writes what has changed, so that a consent outlives a restart. */
  save(): void;
}

/** Without a file, all is forgotten at the end. */
export function openStore(file: string | null): Store {
  const state = (file === null ? null : readState(file)) ?? {
    leads: makeLeads(Date.now()),
    deleted: [],
    tasks: [],
    grants: [],
  };
  return {
    state,
    save() {
      if (file === null) return;
      writeFileSync(`${file}.new`, JSON.stringify(state), { mode: 0o600 });
      renameSync(`${file}.new`, file);
    },
  };
}

/** Null where there is none yet, and where it is not what this version writes: a sandbox may begin anew. */
function readState(file: string): State | null {
  if (!existsSync(file)) return null;
  try {
    return State.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    return null;
  }
}
