import type {
  Provisioner,
  ProvisionerModule,
  ProvisionerSandbox,
  TrunkLimits,
} from "@leadline/adapter-kit/provisioner";
import type { Database } from "../../db/database.ts";
import type { ExclusiveLocks } from "../../db/exclusive-locks.ts";
import type { Tx } from "../../db/transaction.ts";
import { Problem } from "../../http/problem.ts";
import type { Log } from "../../log.ts";
import type { Sealer } from "../../seal-secrets.ts";

export interface AccountSandbox extends ProvisionerSandbox {
  key: Record<string, string>;
}

/** What this feature's verbs depend on. */
export interface AccountDeps {
  database: Database;
  modules: readonly ProvisionerModule[];
  /** By the vendor's id. */
  sandboxes: ReadonlyMap<string, AccountSandbox>;
  sealer: Sealer;
  exclusiveLocks: Pick<ExclusiveLocks, "tryHold" | "release">;
  /** The address at which the Internet reaches this server. Null if it has none; rejects if that can't be looked up. */
  publicAddress(): Promise<string | null>;
  /** The trunk becomes the organisation's carrier in use. */
  putTrunk(trunk: {
    organisationId: string;
    carrierId: string;
    label: string;
    settings: Record<string, unknown>;
    limits: TrunkLimits;
  }): Promise<void>;
  /** Does nothing if it was deleted before. */
  deleteTrunk(tx: Tx, carrier: { organisationId: string; carrierId: string }): Promise<void>;
  /** Called once that is committed. */
  onTrunkDeleted(carrier: { organisationId: string; carrierId: string }): Promise<void>;
  /**
   * Called before what was made at the vendor is removed, maybe again after a crash. Rejects with a ProvisionerError if
   * the account can't be disconnected yet.
   */
  onDisconnecting(
    provisioner: Provisioner,
    account: { organisationId: string; id: string; vendorName: string },
  ): Promise<void>;
  /** Called in the transaction that removes the account here. */
  onRemoved(tx: Tx, account: { organisationId: string; id: string; vendorName: string }): Promise<void>;
  followEveryMs?: number | undefined;
  log: Log;
}

export const noAccount = (): Problem => new Problem("not-found", "Account not found. It may have been disconnected.");

export function requireVendor({ modules }: AccountDeps, vendor: string): ProvisionerModule {
  const module = modules.find(({ id }) => id === vendor);
  if (module) return module;
  throw new Problem("not-supported", "Unknown vendor. Choose one from the list.");
}

/** The name of everything we create at the vendor, which its owner would never use. */
export const trunkName = ({ id }: { id: string }): string => `leadline-${id.replaceAll("-", "").slice(0, 12)}`;
