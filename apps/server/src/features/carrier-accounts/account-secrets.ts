import { randomBytes } from "node:crypto";
import { z } from "zod";
import type { Database } from "../../db/database.ts";
import { type Sealer, Unsealable } from "../../seal-secrets.ts";
import { changeSealed, selectSealed } from "./carrier-accounts.table.ts";

const Secrets = z.object({
  key: z.record(z.string(), z.unknown()),
  password: z.string(),
  /** Missing in older ones. */
  isSandbox: z.boolean().optional(),
});
/** The vendor's key as it was entered, whether that is the sandbox's, and the trunk's password as we made it. */
export type AccountSecrets = z.output<typeof Secrets>;

interface Owner {
  organisationId: string;
  id: string;
}
const ownerOf = ({ organisationId, id }: Owner): string => `${organisationId}/${id}`;

export const encryptSecrets = (sealer: Sealer, owner: Owner, secrets: AccountSecrets): string =>
  sealer.encrypt(JSON.stringify(secrets), ownerOf(owner));

/** Null if SECRET_KEY has changed since: then the vendor's key must be entered again. */
export function openSecrets(sealer: Sealer, owner: Owner, sealed: string | null): AccountSecrets | null {
  if (sealed === null) return null;
  try {
    return Secrets.parse(JSON.parse(sealer.open(sealed, ownerOf(owner))));
  } catch (error) {
    if (error instanceof Unsealable) return null;
    throw error;
  }
}

/** Vendors ask for lowercase, uppercase and a digit. */
export const newPassword = (): string => `Aa1${randomBytes(24).toString("hex")}`;

/** At start: re-encrypts with the current SECRET_KEY what a previous one encrypted. */
export const renewAccountSecrets = (database: Database, sealer: Sealer): Promise<void> =>
  database.withTransaction({ system: "secrets of every organisation" }, async (tx) => {
    for (const { organisationId, id, used, next } of await selectSealed(tx)) {
      const renew = (sealed: string): string | null => sealer.renew(sealed, ownerOf({ organisationId, id }));
      const renewed = { used: renew(used) ?? used, next: next && (renew(next) ?? next) };
      if (renewed.used !== used || renewed.next !== next) await changeSealed(tx, { organisationId, id }, renewed);
    }
  });
