import { CrmError, type CrmGrant } from "@leadline/adapter-kit/crm";
import { z } from "zod";
import type { Api } from "./api.ts";
import type { Owners } from "./mapping.ts";

const path = "/crm/v3/owners";
const Text = z
  .string()
  .nullish()
  .transform((text) => text?.trim() ?? "");
const OwnersAnswer = z.object({
  results: z.array(z.object({ id: z.string(), firstName: Text, lastName: Text, email: Text })),
  paging: z.object({ next: z.object({ after: z.string().regex(/^[\w=-]+$/) }).optional() }).optional(),
});
/** A sync reads a page of contacts about every second, but owners rarely change. */
const keptMs = 60_000;

/** The owners of an account, read at most once a minute. Empty if the connection lacks that permission. */
export function createOwnerReader(api: Api): (grant: CrmGrant) => Promise<Owners> {
  const kept = new Map<string, { atMs: number; owners: Owners }>();
  return async (grant) => {
    const account = grant.accountId ?? grant.accessToken;
    const known = kept.get(account);
    if (known !== undefined && Date.now() - known.atMs < keptMs) return known.owners;
    const owners = await readOwners(api, grant).catch((error: unknown) => {
      if (error instanceof CrmError && error.fault === "grant-refused") return new Map<string, never>();
      throw error;
    });
    for (const [key, { atMs }] of kept) if (Date.now() - atMs >= keptMs) kept.delete(key);
    kept.set(account, { atMs: Date.now(), owners });
    return owners;
  };
}

async function readOwners(api: Api, grant: CrmGrant): Promise<Owners> {
  const owners = new Map<string, { name: string; email: string }>();
  const seen = new Set<string>();
  let after: string | null = null;
  do {
    const query = new URLSearchParams({ limit: "100", ...(after === null ? {} : { after }) });
    const { body }: { body: z.output<typeof OwnersAnswer> } = await api.ask(OwnersAnswer, { grant, path, query });
    for (const { id, firstName, lastName, email } of body.results)
      owners.set(id, { name: `${firstName} ${lastName}`.trim(), email });
    after = body.paging?.next?.after ?? null;
    // A page that leads back to an earlier one has no end.
    if (after !== null && seen.has(after)) throw api.unreadable();
    if (after !== null) seen.add(after);
  } while (after !== null);
  return owners;
}
