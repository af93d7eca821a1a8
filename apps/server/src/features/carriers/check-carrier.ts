import { isDeepStrictEqual } from "node:util";
import type { Carrier, CarrierCheck, CarrierListener } from "@leadline/adapter-kit/carrier";
import type { ClaimIdentity } from "@leadline/adapter-kit/carrier-identity";
import type { CheckCarrierInput } from "@leadline/contract/carriers";
import type { z } from "zod";
import type { Member } from "../../http/route.ts";
import { countOutboundConnection } from "../attempts/count-outbound-connection.ts";
import { type CarrierDeps, noCarrier, requireModule } from "./carrier-deps.ts";
import { selectCarriers, type StoredCarrier } from "./carriers.table.ts";
import { serversEntered } from "./identities.table.ts";
import { identifySettings } from "./identify-settings.ts";
import { logMessages } from "./log-messages.ts";
import { findConflicts, refuseTakenIdentity } from "./refuse-taken-identity.ts";
import { openSecrets, readSettings } from "./read-settings.ts";

const connected: CarrierCheck[] = [{ what: "Open", ok: true, sentence: "Connected." }];

/** Tests the carrier itself if it is in use and it has these settings. Otherwise opens another one for the test and closes it again. */
export async function checkCarrier(
  deps: Omit<CarrierDeps, "mediaPlane">,
  caller: Member,
  given: z.output<typeof CheckCarrierInput>,
): Promise<CarrierCheck[]> {
  await countOutboundConnection(deps.database, caller.userId);
  const module = requireModule(deps.modules, given.kind);
  const stored =
    given.id === undefined ? null : await readStored(deps, caller, { carrierId: given.id, kind: given.kind });
  const secrets = stored ? openSecrets(deps.sealer, stored) : {};
  const settings = readSettings(module, { ...secrets, ...given.settings });
  const organisationId = caller.organisation.id;
  const identity = await identifySettings(module, settings);
  const scope = { userId: caller.userId, organisationId };
  await deps.database.withTransaction(scope, async (tx) => {
    const entered = identity && stored ? await serversEntered(tx, stored, identity) : identity?.servers;
    await refuseTakenIdentity(tx, { organisationId, identity, settings, entered, log: deps.log });
  });
  const kept = stored?.inUse ? module.settings.safeParse({ ...stored.settings, ...secrets }) : null;
  try {
    // A second instance would register again, and couldn't open the same port.
    if (stored && kept?.success && isDeepStrictEqual(settings, kept.data)) {
      const inUse = await deps.ownCarriers.byId(organisationId, stored.id);
      if (inUse) return await tryOut(inUse.carrier);
    }
    const listener: CarrierListener = {
      onInbound: (call) => call.refuse("nobody-there"),
      onState() {},
      ...logMessages(deps.log, { organisationId, kind: given.kind }),
    };
    const carrier = await module.open(settings, listener, { calledElsewhere: false, claim: mayBeTried(deps, caller) });
    return await tryOut(carrier).finally(() => carrier.close());
  } catch (error) {
    deps.log.warn({ err: error, kind: given.kind }, "a carrier could not be opened to be checked");
    return [{ what: "Open", ok: false, sentence: whyNotOpened(error) }];
  }
}

/** The name may resolve to another address by the time the carrier is opened. */
const mayBeTried =
  (
    { database, log }: Pick<CarrierDeps, "database" | "log">,
    { organisation: { id: organisationId } }: Member,
  ): ClaimIdentity =>
  async (identity) =>
    (await database.withTransaction({ organisationId }, (tx) => findConflicts(tx, { organisationId, identity, log })))
      .length === 0;

const tryOut = async (carrier: Carrier): Promise<CarrierCheck[]> => (await carrier.check?.()) ?? connected;

function whyNotOpened(error: unknown): string {
  const isTaken = error instanceof Error && "code" in error && error.code === "EADDRINUSE";
  return isTaken
    ? "The local port is already in use. If this carrier uses it, save your changes before you test. Otherwise another program uses it."
    : "The connection couldn’t be opened on this server.";
}

async function readStored(
  deps: Pick<CarrierDeps, "database">,
  caller: Member,
  { carrierId, kind }: { carrierId: string; kind: string },
): Promise<StoredCarrier> {
  const organisationId = caller.organisation.id;
  const scope = { userId: caller.userId, organisationId };
  const [stored] = await deps.database.withTransaction(scope, (tx) =>
    selectCarriers(tx, { organisationId, carrierId }),
  );
  if (stored?.kind !== kind) throw noCarrier();
  return stored;
}
