import type { CarrierCheck } from "@leadline/adapter-kit/carrier";
import type { CheckCarrierInput } from "@leadline/contract/carriers";
import type { z } from "zod";
import type { Member } from "../../http/route.ts";
import { type CarrierDeps, noCarrier, requireModule } from "./carrier-deps.ts";
import { selectCarriers, type StoredSettings } from "./carriers.table.ts";
import { openSecrets, readSettings } from "./read-settings.ts";

/** Opens the carrier beside the one that may be in use, tries it, and closes it again. */
export async function checkCarrier(
  deps: CarrierDeps,
  caller: Member,
  given: z.output<typeof CheckCarrierInput>,
): Promise<CarrierCheck[]> {
  const module = requireModule(deps.modules, given.kind);
  const kept = given.id === undefined ? {} : await keptSecrets(deps, caller, { carrierId: given.id, kind: given.kind });
  const settings = readSettings(module, { ...kept, ...given.settings });
  try {
    const carrier = await module.open(settings);
    const checks = await carrier.check?.().finally(() => carrier.close());
    return checks ?? [{ what: "Open", ok: true, sentence: "Connected." }];
  } catch (error) {
    deps.log.warn({ err: error, kind: given.kind }, "a carrier could not be opened to be checked");
    const sentence =
      "It could not be opened here. If its local port is in use already, by this carrier too, choose another.";
    return [{ what: "Open", ok: false, sentence }];
  }
}

async function keptSecrets(
  deps: CarrierDeps,
  caller: Member,
  { carrierId, kind }: { carrierId: string; kind: string },
): Promise<StoredSettings> {
  const organisationId = caller.organisation.id;
  const scope = { userId: caller.userId, organisationId };
  const [stored] = await deps.database.withTransaction(scope, (tx) =>
    selectCarriers(tx, { organisationId, carrierId }),
  );
  if (stored?.kind !== kind) throw noCarrier();
  return openSecrets(deps.sealer, stored);
}
