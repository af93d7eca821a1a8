import type { CarrierModule } from "@leadline/adapter-kit/carrier";
import type { Database } from "../../db/database.ts";
import { Problem } from "../../http/problem.ts";
import type { Log } from "../../log.ts";
import type { MediaPlane } from "../../media-plane/media-plane.ts";
import type { Sealer } from "../../seal-secrets.ts";
import type { OwnCarriers } from "./own-carriers.ts";

/** What this feature's verbs depend on. */
export interface CarrierDeps {
  database: Database;
  modules: readonly CarrierModule[];
  sealer: Sealer;
  ownCarriers: OwnCarriers;
  mediaPlane: Pick<MediaPlane, "openCarrierLeg" | "acceptCarrierAnswer" | "apply" | "onPromptEnd" | "close">;
  log: Log;
}

export const noCarrier = (): Problem => new Problem("not-found", "Carrier not found.");

/** Finds a carrier with settings. The others are available to everyone. */
export function requireModule(modules: readonly CarrierModule[], kind: string): CarrierModule {
  const module = modules.find(({ id }) => id === kind);
  if (module && asksForSettings(module)) return module;
  throw new Problem("not-supported", "Unknown carrier. Choose one from the list.");
}

export const asksForSettings = (module: CarrierModule): boolean => !module.settings.safeParse({}).success;
