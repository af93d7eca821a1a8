import type { ProvisionerModule, ProvisionerSandbox, TrunkLimits } from "@leadline/adapter-kit/provisioner";
import type { Database } from "../../db/database.ts";
import type { ExclusiveLocks } from "../../db/exclusive-locks.ts";
import type { Tx } from "../../db/transaction.ts";
import { Problem } from "../../http/problem.ts";
import type { Log } from "../../log.ts";
import type { Sealer } from "../../seal-secrets.ts";

export interface AccountSandbox extends ProvisionerSandbox {
  key: Record<string, string>;
}

/** What the verbs of this feature work with. */
export interface AccountDeps {
  database: Database;
  modules: readonly ProvisionerModule[];
  /** By the vendor's id. */
  sandboxes: ReadonlyMap<string, AccountSandbox>;
  sealer: Sealer;
  exclusiveLocks: Pick<ExclusiveLocks, "tryHold" | "letGo">;
  /** The address at which the Internet reaches this server; null where nobody can tell. */
  publicAddress(): Promise<string | null>;
  /** The trunk becomes the organisation's carrier in use. */
  putTrunk(trunk: {
    organisationId: string;
    carrierId: string;
    label: string;
    settings: Record<string, unknown>;
    limits: TrunkLimits;
  }): Promise<void>;
  removeTrunk(carrier: { organisationId: string; carrierId: string }): Promise<void>;
  /** In the transaction that removes the account here. */
  onRemoved(tx: Tx, account: { organisationId: string; id: string }): Promise<void>;
  log: Log;
}

export const noAccount = (): Problem => new Problem("not-found", "Account not found. It may have been disconnected.");

export function requireVendor({ modules }: AccountDeps, vendor: string): ProvisionerModule {
  const module = modules.find(({ id }) => id === vendor);
  if (module) return module;
  throw new Problem("not-supported", "Unknown vendor. Choose one from the list.");
}

/** Of everything that is made at the vendor: unlike anything that its owner makes there. */
export const trunkName = ({ id }: { id: string }): string => `leadline-${id.replaceAll("-", "").slice(0, 12)}`;
