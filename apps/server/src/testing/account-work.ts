import type { ProvisionerModule } from "@leadline/adapter-kit/provisioner";
import { carrier as sipTrunk } from "@leadline/carrier-sip-trunk/server";
import { z } from "zod";
import type { Database } from "../db/database.ts";
import type { AccountDeps } from "../features/carrier-accounts/account-deps.ts";
import { connectAccount } from "../features/carrier-accounts/connect-account.ts";
import { createAccount } from "../features/carrier-accounts/create-account.ts";
import { disconnectAccount, finishDisconnecting } from "../features/carrier-accounts/disconnect-account.ts";
import { readUnfinished } from "../features/carrier-accounts/read-unfinished.ts";
import { useAccounts } from "../features/carrier-accounts/use-accounts.ts";
import { createOwnCarriers } from "../features/carriers/own-carriers.ts";
import { putTrunk } from "../features/carriers/put-trunk.ts";
import { dropCarrier } from "../features/carriers/remove-carrier.ts";
import { endOpenOrders } from "../features/numbers/accounts/end-open-orders.ts";
import { leaveAccountNumbers } from "../features/numbers/accounts/leave-account-numbers.ts";
import { orderNumber } from "../features/numbers/accounts/order-number.ts";
import { releasePhoneNumber } from "../features/numbers/release-phone-number.ts";
import { resumeOrders } from "../features/numbers/resume-orders.ts";
import { createLog } from "../log.ts";
import { createSealer } from "../seal-secrets.ts";
import { readSecrets } from "../secrets.ts";
import { numberDepsOf } from "./number-deps-of.ts";

/** Of one process. */
export const AccountWork = z.object({
  secretKey: z.string(),
  vendor: z.string(),
  sandbox: z.object({
    address: z.string(),
    sip: z.string(),
    sipOverTls: z.object({ address: z.string(), authority: z.string() }),
    key: z.record(z.string(), z.string()),
  }),
  organisationId: z.string(),
  userId: z.string(),
  /** Killed, as with `kill -9`, after the carrier of the account is saved or removed here and before that is recorded. */
  diesOnceCarrierIsWritten: z.boolean(),
  work: z.discriminatedUnion("does", [
    z.object({ does: z.literal("connect") }),
    z.object({ does: z.literal("buy"), accountId: z.string(), number: z.string() }),
    z.object({ does: z.literal("release"), numberId: z.string() }),
    z.object({ does: z.literal("disconnect"), accountId: z.string(), leave: z.enum(["nothing", "everything"]) }),
    z.object({ does: z.literal("resume") }).describe("What every server does when it starts"),
  ]),
});
export type AccountWork = z.output<typeof AccountWork>;

/** As the server does it. `onLoaded`: before it begins. */
export async function doAccountWork(database: Database, given: AccountWork, onLoaded: () => void): Promise<void> {
  const { organisationId, userId, vendor, sandbox, work } = given;
  const module = await loadProvisioner(vendor);
  // It loads the rest of itself when it is opened.
  (await module.open(module.settings.parse(sandbox.key), { sandbox: null })).close();
  onLoaded();
  const deps = depsOf(database, given, module);
  const carriers = { ofInstallation: noCarrier, find: () => undefined };
  const numberDeps = { ...numberDepsOf({ database, carriers }), accounts: useAccounts(deps) };
  const caller = { userId, sessionId: "", organisation: { id: organisationId, role: "owner" as const } };
  switch (work.does) {
    case "connect": {
      const { stored } = await createAccount(deps, caller, { vendor, label: "Calls", key: sandbox.key });
      return connectAccount(deps, stored);
    }
    case "buy": {
      const { accountId, number } = work;
      const wish = { accountId, number, countryCode: "US" };
      await orderNumber(numberDeps, { caller, wish, idempotencyKey: null });
      return;
    }
    case "release":
      return releasePhoneNumber(numberDeps, { caller, id: work.numberId });
    case "disconnect":
      return disconnectAccount(deps, caller, { id: work.accountId, leave: work.leave });
    case "resume": {
      for (const account of await readUnfinished(database))
        await (account.state === "disconnecting" ? finishDisconnecting : connectAccount)(deps, account);
      return resumeOrders(numberDeps, { olderThanMs: 0 });
    }
  }
}

const noCarrier = (): never => {
  throw new Error("Nothing is bought of the installation's carrier here.");
};

/** Without the other adapters, whose loading costs more than the work. A vendor's package is called after its id. */
async function loadProvisioner(vendor: string): Promise<ProvisionerModule> {
  const { provisioner }: { provisioner: ProvisionerModule } = await import(`@leadline/carrier-${vendor}/server`);
  return provisioner;
}

function depsOf(
  database: Database,
  { secretKey, vendor, sandbox, diesOnceCarrierIsWritten }: AccountWork,
  module: ProvisionerModule,
): AccountDeps {
  const onCarrierWritten = (): void => {
    if (diesOnceCarrierIsWritten) process.kill(process.pid, "SIGKILL");
  };
  const log = createLog("fatal");
  const deriveKey = readSecrets({ secretKey, dataDir: "" });
  const exclusiveLocks = { tryHold: async () => true, release: async () => {} };
  const own = { database, modules: [sipTrunk], sealer: createSealer(deriveKey, "carrier-secrets"), log };
  const ownCarriers = createOwnCarriers({ ...own, exclusiveLocks, onInbound: () => {} });
  const carrierDeps = { ...own, ownCarriers };
  return {
    database,
    modules: [module],
    sandboxes: new Map([[vendor, { ...sandbox, address: new URL(sandbox.address) }]]),
    sealer: createSealer(deriveKey, "carrier-account-secrets"),
    exclusiveLocks,
    publicAddress: async () => null,
    putTrunk: (trunk) => putTrunk(carrierDeps, trunk).then(onCarrierWritten),
    deleteTrunk: (tx, which) => dropCarrier(tx, which).then(onCarrierWritten),
    onTrunkDeleted: ({ organisationId, carrierId }) => ownCarriers.changed(organisationId, [carrierId]),
    onDisconnecting: (provisioner, account) =>
      endOpenOrders(
        { database, runExclusively: (_name, work) => work(), alertOwners: async () => {} },
        provisioner,
        account,
      ),
    onRemoved: (tx, account) => leaveAccountNumbers(async () => {}, tx, account),
    log,
  };
}
