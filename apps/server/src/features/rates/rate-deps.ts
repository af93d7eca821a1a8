import type { CarrierModule } from "@leadline/adapter-kit/carrier";
import type { RatesRead } from "@leadline/adapter-kit/provisioner";
import type { Database } from "../../db/database.ts";
import type { Tx } from "../../db/transaction.ts";
import { Problem } from "../../http/problem.ts";
import type { Log } from "../../log.ts";
import type { AlertOwners } from "../members/alert-owners.ts";

/** What this feature's verbs depend on. */
export interface RateDeps {
  database: Database;
  alertOwners: AlertOwners;
  modules: readonly CarrierModule[];
  /** The carrier that the organisation's calls go to. */
  carrierOf(organisationId: string): Promise<{ id: string; connection: { id: string } | null }>;
  /** Carriers whose API reports call prices. */
  api: {
    hasApi(carrier: { organisationId: string; carrierId: string }): Promise<boolean>;
    /** The rates for calls to this number (digits after the +). Empty if the carrier has no such API. */
    read(
      carrier: { organisationId: string; carrierId: string },
      number: { digits: string; country: string | null },
    ): Promise<RatesRead>;
  };
  /** Whether the organisation's own carrier leads to a vendor's sandbox, which reaches no phone. */
  isSandbox(tx: Tx, carrier: { organisationId: string; carrierId: string }): Promise<boolean>;
  log: Log;
}

export const noCarrierForRates = (): Problem =>
  new Problem("not-found", "Carrier not found. It may have been removed.");
