import { type ChildProcess, fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { provisioners } from "../../adapters.ts";
import type { AccountWork } from "../../testing/account-work.ts";
import { atVendor } from "../../testing/connect-account.ts";
import { ownMigratedDatabase } from "../../testing/own-database.ts";
import { startKillingProxy } from "../../testing/start-killing-proxy.ts";
import { testApp } from "../../testing/test-app.ts";
import { newRep } from "../../testing/test-calls.ts";
import { selectAccounts, selectCarriers } from "./carrier-accounts.table.ts";

// Servers of other suites would resume these accounts.
const database = await ownMigratedDatabase();
// Registered before the app's own, so it runs after the app has closed.
afterAll(() => database.drop());
const app = testApp(undefined, database.url);
const script = fileURLToPath(new URL("../../testing/account-worker.ts", import.meta.url));
const compileCache = mkdtempSync(join(tmpdir(), "leadline-compiled-"));
afterAll(() => rmSync(compileCache, { recursive: true, force: true }));

type Work = AccountWork["work"];

const startWorker = (): ChildProcess =>
  fork(script, [database.url], { execArgv: [], env: { ...process.env, NODE_COMPILE_CACHE: compileCache } });

test.each(provisioners.map(({ module, startSandbox }) => [module.name, { vendor: module.id, startSandbox }] as const))(
  "%s: a process killed at every step of connect, buy, release and disconnect leaves one trunk, one number and one charge",
  async (_name, { vendor, startSandbox }) => {
    const sandbox = await startSandbox({ file: null });
    onTestFinished(() => sandbox.close());
    const proxy = await startKillingProxy(sandbox);
    onTestFinished(() => proxy.close());
    const rep = await newRep(app);
    const { organisationId } = rep;
    const { sip, sipOverTls, key } = sandbox;
    const given = {
      secretKey: randomBytes(32).toString("hex"),
      vendor,
      sandbox: { address: proxy.address.href, sip, sipOverTls, key },
      organisationId,
      userId: rep.id,
    };
    let worker: ChildProcess | null = null;
    onTestFinished(() => void worker?.kill("SIGKILL"));

    /** Until the work is done, or its process is killed: once it has changed something at the vendor, or its carrier here. */
    async function run(work: Work, diesOnceCarrierIsWritten: boolean) {
      const child = (worker ??= startWorker());
      const exited = once(child, "exit");
      let diedAtVendor = false;
      proxy.onChange(async () => {
        diedAtVendor = true;
        child.kill("SIGKILL");
        await exited;
      });
      const done = once(child, "message");
      child.send({ ...given, work, diesOnceCarrierIsWritten } satisfies AccountWork);
      const ending = await Promise.race([done.then(() => "done"), exited.then(([code, signal]) => signal ?? code)]);
      proxy.onChange(null);
      expect(["done", "SIGKILL"]).toContain(ending);
      if (ending === "SIGKILL") worker = null;
      return { wasKilled: ending === "SIGKILL", diedAtVendor };
    }

    /** Each process is killed at the first step that those before it haven't taken. Returns how many were killed. */
    async function killAtEveryStep(work: Work): Promise<number> {
      let carrierWasWritten = false;
      for (let kills = 0, next = work; ; kills++, next = { does: "resume" }) {
        const { wasKilled, diedAtVendor } = await run(next, !carrierWasWritten);
        expect(Math.max(...Object.values(sandbox.counts()))).toBeLessThanOrEqual(1);
        if (!wasKilled) return kills;
        carrierWasWritten ||= !diedAtVendor;
      }
    }

    const read = () =>
      app.database.withTransaction({ organisationId }, async (tx) => ({
        accounts: await selectAccounts(tx, organisationId),
        carrierIds: (await selectCarriers(tx, organisationId)).map(({ id }) => id),
        numbers: await tx
          .selectFrom("phone_numbers")
          .select(["id", "number", "state"])
          .where("organisation_id", "=", organisationId)
          .execute(),
      }));

    const connectKills = await killAtEveryStep({ does: "connect" });
    const connected = await read();
    const [account] = connected.accounts;
    expect(connected).toMatchObject({ accounts: [{ state: "connected" }], carrierIds: [account?.carrierId] });
    const { trunks, credentialLists, originationUrls } = sandbox.counts();
    expect([trunks, credentialLists]).toEqual([1, 1]);
    // At each of these, and once the carrier is written.
    expect(connectKills).toBeGreaterThan(trunks + credentialLists + originationUrls);

    const number = await atVendor({ vendor, sandbox }, async (provisioner) => {
      const [offered] = await provisioner.searchNumbers({ countryCode: "US", query: null, limit: 1 });
      return offered?.number ?? "";
    });
    const accountId = account?.id ?? "";
    expect(await killAtEveryStep({ does: "buy", accountId, number })).toBeGreaterThan(0);
    const bought = await read();
    expect(bought.numbers).toEqual([{ id: expect.any(String), number, state: "owned" }]);
    expect(sandbox.counts()).toMatchObject({ numbers: 1, charges: 1 });

    const numberId = bought.numbers[0]?.id ?? "";
    expect(await killAtEveryStep({ does: "release", numberId })).toBeGreaterThan(0);
    expect((await read()).numbers).toEqual([{ id: numberId, number, state: "released" }]);
    expect(sandbox.counts()).toMatchObject({ numbers: 0, charges: 1 });

    // Killed while everything is left at the vendor, it leaves nothing half done here.
    const leaves = { does: "disconnect", accountId, leave: "everything" } as const;
    expect((await run(leaves, true)).wasKilled).toBe(true);
    expect(await read()).toEqual({ ...connected, numbers: expect.anything() });

    expect(await killAtEveryStep({ does: "disconnect", accountId, leave: "nothing" })).toBeGreaterThan(
      trunks + credentialLists,
    );
    expect(await read()).toMatchObject({ accounts: [], carrierIds: [] });
    const nothing = { trunks: 0, credentialLists: 0, originationUrls: 0, numbers: 0 };
    expect(sandbox.counts()).toEqual({ ...nothing, charges: 1 });
  },
);
