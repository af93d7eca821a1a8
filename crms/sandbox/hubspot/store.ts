import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { z } from "zod";
import { makeContacts } from "./make-contacts.ts";

const CrmObject = z.object({
  id: z.string(),
  /** By internal name; an unset one is missing. */
  properties: z.record(z.string(), z.string()),
  /** Milliseconds since 1970. */
  createdMs: z.number(),
  updatedMs: z.number(),
  archivedMs: z.number().nullable(),
});
export type CrmObject = z.infer<typeof CrmObject>;

const Association = z.object({ from: z.string(), to: z.string(), typeId: z.int() });
export type Association = z.infer<typeof Association>;

/** One installation of an app. Tokens are kept as their SHA-256. */
const Grant = z.object({
  refreshHash: z.string(),
  access: z.array(z.object({ hash: z.string(), expiresMs: z.number() })),
});
export type StoredGrant = z.infer<typeof Grant>;

const State = z.object({
  contacts: z.array(CrmObject),
  calls: z.array(CrmObject),
  /** Of `contacts/1` with `calls/2`, each way. */
  associations: z.array(Association),
  /** The identifier of a contact that was merged into another leads to that one. */
  merged: z.record(z.string(), z.string()),
  grants: z.array(Grant),
  nextId: z.int(),
});
export type State = z.infer<typeof State>;
export type ObjectType = "contacts" | "calls";

export interface Store {
  state: State;
  save(): void;
}

/** Without a file, all is forgotten at the end. */
export function openStore(file: string | null): Store {
  const state = (file === null ? null : readState(file)) ?? begin();
  return {
    state,
    save() {
      if (file === null) return;
      writeFileSync(`${file}.new`, JSON.stringify(state), { mode: 0o600 });
      renameSync(`${file}.new`, file);
    },
  };
}

function begin(): State {
  const contacts = makeContacts(Date.now());
  return { contacts, calls: [], associations: [], merged: {}, grants: [], nextId: 90_000 };
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
