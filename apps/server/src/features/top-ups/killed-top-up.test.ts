import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { PaymentModule } from "@leadline/adapter-kit/payment";
import type { TopUp } from "@leadline/contract/top-ups";
import { payment as sandbox } from "@leadline/payment-sandbox/server";
import { afterAll, expect, inject, test } from "vitest";
import { createLog } from "../../log.ts";
import { makeOrganisation, registerPerson, testApp, testSeller, type TestPerson } from "../../testing/test-app.ts";
import { startAutomaticTopUps } from "./automatic/start-automatic-top-ups.ts";
import { openPayments } from "./open-payments.ts";
import { resumeTopUps } from "./resume-top-ups.ts";
import { receiveReport } from "./settle-top-up.ts";
import type { TopUpDeps } from "./top-up-deps.ts";

const dataDir = mkdtempSync(join(tmpdir(), "leadline-payments-"));
// Other suites share the database: this one only asks about its own top-ups.
const moduleId = `lab-${randomUUID()}`;
const module: PaymentModule = {
  ...sandbox,
  id: moduleId,
  open: (settings, options) => sandbox.open(sandbox.settings.parse(settings), { ...options, dataDir }),
};
const app = testApp(undefined, undefined, [module]);
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

const payments = openPayments([module], {
  environment: {},
  dataDir,
  onReport: (report) => receiveReport(deps, report),
  log: createLog("fatal"),
});
const deps: TopUpDeps = { database: app.database, payments, seller: testSeller, log: createLog("fatal") };
const resume = () => resumeTopUps(deps, { soonMs: 0 });

async function newOwner() {
  const person = await registerPerson(app);
  return { ...person, organisationId: (await makeOrganisation(app, person)).id };
}
async function dieWhile(owner: TestPerson & { organisationId: string }, death: object): Promise<void> {
  const { id: userId, organisationId } = owner;
  const given = {
    databaseUrl: inject("databaseUrl"),
    dataDir,
    moduleId,
    organisationId,
    userId,
    idempotencyKey: randomUUID(),
    topUp: "new",
    ...death,
  };
  const script = fileURLToPath(new URL("../../testing/dying-top-up-worker.ts", import.meta.url));
  const dying = spawn(process.execPath, [script, JSON.stringify(given)], { stdio: ["ignore", "ignore", "inherit"] });
  expect(await once(dying, "exit")).toEqual([null, "SIGKILL"]);
}
const list = async ({ token }: TestPerson) => (await app.ask("GET", "/v1/billing/top-ups", { token })).json().topUps;
const balance = async ({ token }: TestPerson) =>
  (await app.ask("GET", "/v1/billing/summary", { token })).json().balanceMicros;
/** Pays like a person on the sandbox's page. */
const pay = (checkoutUrl: string) =>
  payments.adapterRoutes[0]?.routes[0]?.answer({
    method: "POST",
    url: `/checkouts/${checkoutUrl.split("/").at(-1)}`,
    address: checkoutUrl,
    headers: {},
    body: Buffer.from("action=pay"),
  });

test.each(["before the provider is asked", "before its answer is kept"] as const)(
  "a process killed %s leaves one top-up, which is completed and paid once",
  async (dies) => {
    const owner = await newOwner();
    const idempotencyKey = randomUUID();
    await dieWhile(owner, { dies, idempotencyKey });
    expect(await list(owner)).toMatchObject([{ state: "open", checkoutUrl: null }]);
    await Promise.all([resume(), resume()]);
    const [finished] = await list(owner);
    const again = await app.ask("POST", "/v1/billing/top-ups", {
      token: owner.token,
      body: { amountMicros: 25_000_000 },
      headers: { "idempotency-key": idempotencyKey },
    });
    expect([again.statusCode, await list(owner)]).toEqual([201, [finished]]);
    await pay(finished.checkoutUrl);
    await resume();
    expect(await balance(owner)).toBe(25_000_000);
  },
);

test("a process killed between the payment and its credit credits it once", async () => {
  const owner = await newOwner();
  const idempotencyKey = randomUUID();
  const { id, checkoutUrl } = (
    await app.ask("POST", "/v1/billing/top-ups", {
      token: owner.token,
      body: { amountMicros: 25_000_000 },
      headers: { "idempotency-key": idempotencyKey },
    })
  ).json();
  const unheard = sandbox.open({ SANDBOX_PAYMENTS: "on" }, { onReport: async () => {}, dataDir });
  await unheard?.routes[0]?.answer({
    method: "POST",
    url: `/checkouts/${checkoutUrl.split("/").at(-1)}`,
    address: checkoutUrl,
    headers: {},
    body: Buffer.from("action=pay"),
  });
  await dieWhile(owner, { dies: "before the credit is posted", topUp: id });
  expect(await balance(owner)).toBe(0);
  await Promise.all([resume(), resume()]);
  expect(await balance(owner)).toBe(25_000_000);
});

test.each(["before the provider is asked", "before its answer is kept", "before the credit is posted"] as const)(
  "a process killed while it tops up automatically, %s, charges the saved payment method once and credits it once",
  async (dies) => {
    const owner = await newOwner();
    const { token, password: currentPassword } = owner;
    await app.ask("PUT", "/v1/billing/mode", { token, body: { mode: "prepaid" } });
    const paid = await app.ask("POST", "/v1/billing/top-ups", {
      token,
      body: { amountMicros: 25_000_000, savesMethod: true },
      headers: { "idempotency-key": randomUUID() },
    });
    await pay(paid.json().checkoutUrl);
    const automatic = { belowMicros: 30_000_000, amountMicros: 50_000_000, monthLimitMicros: 500_000_000 };
    const body = { automatic, currentPassword };
    expect((await app.ask("PUT", "/v1/billing/balance-settings", { token, body })).json()).toMatchObject({ automatic });

    await dieWhile(owner, { dies, topUp: "automatic" });
    expect([(await list(owner))[0], await balance(owner)]).toMatchObject([
      { isAutomatic: true, state: "open" },
      25_000_000,
    ]);
    // Before it is finished, no other one is made for the same balance.
    await startAutomaticTopUps(deps);
    await Promise.all([resume(), resume()]);
    await startAutomaticTopUps(deps);
    expect((await list(owner)).map(({ isAutomatic, state }: TopUp) => [isAutomatic, state])).toEqual([
      [true, "paid"],
      [false, "paid"],
    ]);
    expect(await balance(owner)).toBe(75_000_000);
    // A charge has its card's return address.
    const charges: { reference: string; returnUrl: string }[] = JSON.parse(
      readFileSync(join(dataDir, "sandbox-payments.json"), "utf8"),
    );
    const ofCard = charges.filter(({ returnUrl }) => returnUrl.endsWith(paid.json().id));
    expect(ofCard.map(({ reference }) => reference)).toEqual([paid.json().id, (await list(owner))[0].id]);
  },
);
