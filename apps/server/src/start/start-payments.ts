import { paymentModules } from "../adapters.ts";
import type { Config } from "../config.ts";
import type { Database } from "../db/database.ts";
import type { AlertOwners } from "../features/members/alert-owners.ts";
import { type OpenTopUps, openTopUps } from "../features/top-ups/run-top-ups.ts";
import type { Log } from "../log.ts";

interface StartPayments {
  config: Pick<Config, "environment" | "dataDir" | "publicUrl" | "seller">;
  database: Database;
  alertOwners: AlertOwners;
  log: Log;
}

/** The payment providers that the settings enable, and the top-ups paid through them. */
export function startPayments({ config, ...given }: StartPayments, closers: (() => unknown)[]): OpenTopUps {
  const { environment, dataDir, publicUrl, seller } = config;
  const topUps = openTopUps({ ...given, modules: paymentModules, environment, dataDir, publicUrl, seller });
  const running = topUps.run();
  closers.push(() => running.close());
  return topUps;
}
