import type { CarrierModule } from "@leadline/adapter-kit/carrier";
import type { CallRate } from "@leadline/adapter-kit/provisioner";
import type { Database } from "../../db/database.ts";
import { Problem } from "../../http/problem.ts";
import type { Log } from "../../log.ts";

/** What the verbs of this feature work with. */
export interface RateDeps {
  database: Database;
  modules: readonly CarrierModule[];
  /** The carrier that the organisation's calls go to. */
  carrierOf(organisationId: string): Promise<{ id: string; connection: { id: string } | null }>;
  /** Of carriers that say by API what calls cost. */
  api: {
    hasApi(carrier: { organisationId: string; carrierId: string }): Promise<boolean>;
    /** For calls to this number (digits after the +); nothing if the carrier has no such API. */
    read(carrier: { organisationId: string; carrierId: string }, digits: string): Promise<readonly CallRate[]>;
  };
  log: Log;
}

export const noCarrierForRates = (): Problem =>
  new Problem("not-found", "Carrier not found. It may have been removed.");
