import { openSandboxStore, type SandboxStore } from "@leadline/adapter-kit/sandbox-store";
import { z } from "zod";
import { makeContacts } from "./make-contacts.ts";

const CrmObject = z.object({
  id: z.string(),
  /** By internal name. Unset ones are missing. */
  properties: z.record(z.string(), z.string()),
  /** By internal name, the values since the creation, newest first. */
  history: z.record(z.string(), z.array(z.object({ value: z.string(), atMs: z.number() }))).default({}),
  /** Milliseconds since 1970. */
  createdMs: z.number(),
  updatedMs: z.number(),
  archivedMs: z.number().nullable(),
});
export type CrmObject = z.infer<typeof CrmObject>;

const Association = z.object({ from: z.string(), to: z.string(), typeId: z.int() });
export type Association = z.infer<typeof Association>;

/** One installation of an app. Tokens are stored as SHA-256. */
const Grant = z.object({
  refreshHash: z.string(),
  access: z.array(z.object({ hash: z.string(), expiresMs: z.number() })),
});
export type StoredGrant = z.infer<typeof Grant>;

const State = z.object({
  contacts: z.array(CrmObject),
  calls: z.array(CrmObject),
  /** From `contacts/1` to `calls/2` and back. */
  associations: z.array(Association),
  /** Ids of merged contacts, and the contact that each leads to. */
  merged: z.record(z.string(), z.string()),
  grants: z.array(Grant),
  nextId: z.int(),
});
export type State = z.infer<typeof State>;
export type ObjectType = "contacts" | "calls";

export type Store = SandboxStore<State>;

export const openStore = (file: string | null): Store =>
  openSandboxStore(file, {
    begin() {
      const contacts = makeContacts(Date.now());
      return { contacts, calls: [], associations: [], merged: {}, grants: [], nextId: 90_000 };
    },
    read: (kept) => State.parse(kept),
  });
