import { randomUUID } from "node:crypto";
import { wantTrunk } from "@leadline/adapter-kit/conformance/provisioner-numbers";
import { freePort } from "@leadline/carrier-sip-trunk/testing/start-program";
import { startRawPeer } from "@leadline/carrier-sip-trunk/testing/start-raw-peer";
import type { VendorSandbox } from "@leadline/carrier-sandbox/vendor/vendor-sandbox";
import type { CarrierAccount } from "@leadline/contract/carrier-accounts";
import type { Call } from "@leadline/contract/calls";
import type { CarrierConnection, CarrierTrace } from "@leadline/contract/carriers";
import { Client } from "pg";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { carrierModules, provisioners } from "../../adapters.ts";
import { atVendor, buyNumber } from "../../testing/connect-account.ts";
import { leadlineChanges } from "../../testing/leadline-changes.ts";
import { ownVendorSandboxes } from "../../testing/own-vendor-sandboxes.ts";
import { registerPerson } from "../../testing/test-app.ts";
import { dial, newRep, type Rep, testAppWithCalls, waitForStatus } from "../../testing/test-calls.ts";

const { databaseUrl, sandboxes } = await ownVendorSandboxes();
const app = testAppWithCalls(carrierModules, {
  databaseUrl,
  accounts: () => ({ sandboxes, publicAddress: async () => null }),
});

const accountsOf = async (rep: Rep): Promise<CarrierAccount[]> =>
  (await app.ask("GET", "/v1/carrier-accounts", { token: rep.token })).json();
const settled = (rep: Rep): Promise<CarrierAccount> =>
  vi.waitFor(
    async () => {
      const [account] = await accountsOf(rep);
      if (!account || account.state === "connecting") throw new Error("It is being connected.");
      return account;
    },
    { interval: 50 },
  );
const connect = (rep: Rep, vendor: string, key: object) =>
  app.ask("POST", "/v1/carrier-accounts", { token: rep.token, body: { vendor, label: "Calls", key } });

/** Newest first, without keep-alives. */
const messagesOf = async (rep: Rep, carrierId: string): Promise<CarrierTrace["messages"]> => {
  const read = await app.ask("GET", `/v1/carriers/${carrierId}/trace`, { token: rep.token });
  const { messages }: CarrierTrace = read.json();
  return messages.filter(({ text }) => !/^CSeq: \d+ OPTIONS/im.test(text));
};

const callsOf = async (rep: Rep): Promise<Call[]> => (await app.ask("GET", "/v1/calls", { token: rep.token })).json();
const untilWorking = (rep: Rep, count: number) =>
  vi.waitFor(
    async () => {
      const carriers = (await app.ask("GET", "/v1/carriers", { token: rep.token })).json();
      const working = carriers.filter(({ state }: CarrierConnection) => state.level === "working");
      expect(working).toHaveLength(count);
    },
    { interval: 100 },
  );
async function createTrunk(rep: Rep, settings: object): Promise<string> {
  const body = { kind: "sip-trunk", label: "Trunk", settings };
  return (await app.ask("POST", "/v1/carriers", { token: rep.token, body })).json().id;
}

test("lists each vendor's settings, with the permissions needed and what must be done by hand", async () => {
  const rep = await newRep(app);
  const listed = (await app.ask("GET", "/v1/carrier-accounts/kinds", { token: rep.token })).json();
  expect(listed.map(({ vendor }: { vendor: string }) => vendor)).toEqual(provisioners.map(({ module }) => module.id));
  for (const kind of listed) {
    expect(kind.keyHelp).toMatch(/\.$/);
    expect(kind.byHand.length).toBeGreaterThan(0);
    // The label and the key: three inputs at most.
    expect(Object.keys(kind.form.properties).length).toBeLessThanOrEqual(2);
    expect(kind.sandboxKey).toEqual(sandboxes.get(kind.vendor)?.key);
  }
});

describe.each(provisioners.map(({ module }) => [module.name, module] as const))(
  "%s",
  (_name, { id: vendor, settings, readsRates, verifiesCaller }) => {
    const sandbox = (): VendorSandbox => {
      const found = sandboxes.get(vendor);
      if (!found) throw new Error(`${vendor} has no sandbox.`);
      return found;
    };

    test("an API key becomes a trunk that can call, connecting again creates no second one, and disconnecting removes everything", async () => {
      const rep = await newRep(app);
      const before = sandbox().counts();
      const made = await connect(rep, vendor, sandbox().key);
      expect(made.statusCode).toBe(201);
      expect(JSON.stringify(made.json())).not.toContain(Object.values(sandbox().key).at(-1));
      const account = await settled(rep);
      expect(account).toMatchObject({ state: "connected", failure: null, isSandbox: true, trunk: expect.any(String) });
      expect(account.steps.filter(({ done }) => !done)).toEqual([]);
      expect(account.balance?.micros).toBeGreaterThan(0);
      expect(account.steps[0]?.sentence).toMatch(/^The key works\..* Its balance is \$20\.00\.$/);
      const { sentence } = account.steps.find(({ step }) => step === "inbound") ?? {};
      expect(sentence).toMatch(/over the registration|This server has that address itself/);
      const changes = (await leadlineChanges(app, rep)).flatMap((entry) => entry.changes);
      expect(changes).toContainEqual(expect.objectContaining({ kind: "carriers", operation: "created" }));

      // Twilio's price from its sandbox for North America. Telnyx's API reports none.
      const price = readsRates ? 13_000 : null;
      const asked = await app.ask("GET", "/v1/rates/number?phoneNumber=%2B12025550100", { token: rep.token });
      expect(asked.json().rate?.perMinuteMicros ?? null).toBe(price);
      const start = () => app.ask("POST", "/v1/calls", { token: rep.token, body: { phoneNumber: "+12025550100" } });
      const detail = "Calls has no number yet, and calls through it need one.";
      expect((await start()).json()).toMatchObject({
        type: "/api/docs#caller-id-missing",
        detail: expect.stringContaining(detail),
      });
      expect(await callsOf(rep)).toEqual([]);
      const number = await buyNumber(app, rep, account);

      const callSid = await dial(app, rep, "+12025550100");
      const live = await waitForStatus(app, rep, { callSid, status: "in-progress" });
      expect(live.rate?.perMinuteMicros ?? null).toBe(price);
      expect(live.shownNumber).toBe(number);
      await app.ask("POST", `/v1/calls/${callSid}/hang-up`, { token: rep.token });
      await waitForStatus(app, rep, { callSid, status: "completed" });
      const busy = await dial(app, rep, "+12025550103");
      await waitForStatus(app, rep, { callSid: busy, status: "busy" });

      const connected = sandbox().counts();
      await app.ask("POST", `/v1/carrier-accounts/${account.id}/connect`, { token: rep.token, body: {} });
      expect((await settled(rep)).state).toBe("connected");
      expect(sandbox().counts()).toEqual(connected);
      expect(connected).toMatchObject({ trunks: before.trunks + 1, credentialLists: before.credentialLists + 1 });
      expect((await app.ask("GET", "/v1/carriers", { token: rep.token })).json()).toHaveLength(1);

      expect(account.carrierRemoved).toBe(false);
      await app.ask("DELETE", `/v1/carriers/${account.carrierId}`, { token: rep.token });
      expect(await accountsOf(rep)).toMatchObject([{ state: "connected", carrierRemoved: true }]);
      await app.ask("POST", `/v1/carrier-accounts/${account.id}/connect`, { token: rep.token, body: {} });
      expect(await settled(rep)).toMatchObject({ state: "connected", carrierRemoved: false });
      expect((await app.ask("GET", "/v1/carriers", { token: rep.token })).json()).toMatchObject([
        { id: account.carrierId, inUse: true },
      ]);
      expect(sandbox().counts()).toEqual(connected);

      const gone = await app.ask("DELETE", `/v1/carrier-accounts/${account.id}`, { token: rep.token });
      expect(gone.statusCode).toBe(204);
      const { numbers, charges } = connected;
      expect(sandbox().counts()).toEqual({ ...before, numbers, charges });
      await atVendor({ vendor, sandbox: sandbox() }, (provisioner) => provisioner.release(number));
      expect(await accountsOf(rep)).toEqual([]);
      expect((await app.ask("GET", "/v1/carriers", { token: rep.token })).json()).toEqual([]);
    });

    test("rings the organisation when one of its trunk's numbers is called, and logs whether the vendor verified the caller", async () => {
      const rep = await newRep(app);
      await connect(rep, vendor, sandbox().key);
      const { id, trunk, carrierId, steps } = await settled(rep);
      await atVendor({ vendor, sandbox: sandbox() }, async (provisioner) => {
        const [offered] = await provisioner.searchNumbers({ countryCode: "US", query: "Denver", limit: 1 });
        const to = offered?.number ?? "";
        const intent = { number: to, countryCode: "US", type: "local", trunk, reference: randomUUID() } as const;
        await vi.waitFor(async () => expect((await provisioner.buy(intent)).state).toBe("bought"));
        await untilWorking(rep, 1);
        await sandbox().call({ from: "+13125550142", to });
        const said = verifiesCaller === null ? null : "passed-a";
        const verified = { callerVerified: said && true, callerVerification: said };
        const called = { direction: "inbound", phoneNumber: "+13125550142", ...verified };
        await vi.waitFor(async () => expect(await callsOf(rep)).toContainEqual(expect.objectContaining(called)));
        await provisioner.release(to);
      });
      const registers = /over the registration/.test(steps.find(({ step }) => step === "inbound")?.sentence ?? "");
      const messages = await messagesOf(rep, carrierId);
      expect(messages.find(({ summary }) => summary.startsWith("INVITE"))).toMatchObject({ direction: "received" });
      expect(new Set(messages.map(({ protocol }) => protocol))).toEqual(new Set([registers ? "TLS" : "UDP"]));
      // On another trunk, the vendor's headers vouch for nobody.
      const headers = messages.flatMap(({ text }) =>
        text.startsWith("INVITE") ? (text.match(/^X-.*$/gim) ?? []) : [],
      );
      const peer = await startRawPeer();
      onTestFinished(() => peer.close());
      const place = { address: "127.0.0.1", port: await freePort() };
      await createTrunk(rep, { host: `127.0.0.1:${peer.port}`, authentication: "ip", localPort: place.port });
      await untilWorking(rep, 2);
      peer.send(peer.write("INVITE", place, { callId: randomUUID(), headers }), place);
      const caller = { phoneNumber: "+442071838750", callerVerified: null, callerVerification: null };
      await vi.waitFor(async () => expect(await callsOf(rep)).toContainEqual(expect.objectContaining(caller)));
      await app.ask("DELETE", `/v1/carrier-accounts/${id}`, { token: rep.token });
    });

    test("takes calls with digest authentication over TLS, by its own certificate, if they show a number of the account", async () => {
      const rep = await newRep(app);
      await connect(rep, vendor, sandbox().key);
      const account = await settled(rep);
      const callerId = await buyNumber(app, rep, account);
      const wanted = wantTrunk();
      await atVendor({ vendor, sandbox: sandbox() }, (provisioner) => provisioner.ensureTrunk(wanted, async () => {}));
      const { address: host, authority: certificateAuthority } = sandbox().sipOverTls;
      const { user, password } = wanted;
      const signIn = { authentication: "digest", user, password };
      const anonymous = { host, transport: "tls", certificateAuthority, ...signIn };
      const id = await createTrunk(rep, anonymous);
      const refused = await dial(app, rep, "+12025550100");
      expect(await waitForStatus(app, rep, { callSid: refused, status: "failed" })).toMatchObject({
        cause: { sip: 403 },
      });
      const body = { settings: { ...anonymous, callerId } };
      expect((await app.ask("PUT", `/v1/carriers/${id}`, { token: rep.token, body })).statusCode).toBe(200);
      const callSid = await dial(app, rep, "+12025550100");
      await waitForStatus(app, rep, { callSid, status: "in-progress" });
      await app.ask("POST", `/v1/calls/${callSid}/hang-up`, { token: rep.token });
      await waitForStatus(app, rep, { callSid, status: "completed" });
      const messages = await messagesOf(rep, id);
      expect(messages.map(({ summary }) => summary)).toContain("SIP/2.0 407 Proxy Authentication Required");
      expect(new Set(messages.map(({ protocol }) => protocol))).toEqual(new Set(["TLS"]));
      await app.ask("DELETE", `/v1/carriers/${id}`, { token: rep.token });
      await app.ask("DELETE", `/v1/carrier-accounts/${account.id}`, { token: rep.token });
    });

    test("a key that isn't one is refused with the field's name", async () => {
      const rep = await newRep(app);
      const [name = ""] = Object.keys(settings.shape);
      const refused = await connect(rep, vendor, { ...sandbox().key, [name]: "nonsense" });
      expect(refused.statusCode).toBe(422);
      expect(refused.json().errors.map(({ field }: { field: string }) => field)).toEqual([`key.${name}`]);
    });
  },
);

test("an organisation with a connected account can't be deleted", async () => {
  const rep = await newRep(app);
  const [vendor = "", sandbox] = [...sandboxes][0] ?? [];
  await connect(rep, vendor, sandbox?.key ?? {});
  await settled(rep);
  const refused = await app.ask("DELETE", `/v1/organisations/${rep.organisationId}`, { token: rep.token });
  expect(refused.json()).toMatchObject({ type: "/api/docs#organisation-in-use" });
});

test("an account gets a port that no other organisation's account or carrier uses", async () => {
  const [rep, other] = await Promise.all([newRep(app), newRep(app)]);
  const [vendor = "", sandbox] = [...sandboxes][0] ?? [];
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query("select set_config('app.scope', 'system', false)");
    // Takes the other ports of 5070 to 5169, so that no account can be connected.
    await client.query(
      `insert into carriers (id, organisation_id, kind, label, settings, identity)
       values (gen_random_uuid(), $1, 'sip-trunk', 'Trunk', '{}', $2)`,
      [other.organisationId, { servers: [], knownByAddress: false, localPort: 5070, numbers: [], vouchedFor: false }],
    );
    await client.query(
      `insert into carrier_accounts (id, organisation_id, vendor, label, state, carrier_id, local_port, is_sandbox)
       select gen_random_uuid(), $1, $2, 'Calls', 'failed', gen_random_uuid(), port, true from generate_series(5071, 5169) port`,
      [other.organisationId, vendor],
    );
    const refused = await connect(rep, vendor, sandbox?.key ?? {});
    expect(refused.json()).toMatchObject({ type: "/api/docs#quota-reached", detail: expect.stringMatching(/no port/) });
    await client.query("delete from carrier_accounts where organisation_id = $1", [other.organisationId]);
    expect((await connect(rep, vendor, sandbox?.key ?? {})).statusCode).toBe(201);
    expect(await settled(rep)).toMatchObject({ state: "connected" });
  } finally {
    await client.query("delete from carriers where organisation_id = $1", [other.organisationId]);
    await client.end();
  }
});

test.each(provisioners.map(({ module }) => module.id))(
  "the first call through %s's sandbox works in every country, at a price that is said to be made up",
  async (vendor) => {
    const person = await registerPerson(app);
    const organisation = { name: "Thames", defaultCountry: "GB", openingHours: [] };
    const { token } = person;
    const made = await app.ask("POST", "/v1/organisations", { token, body: organisation });
    const rep = { ...person, organisationId: made.json().id };
    await connect(rep, vendor, sandboxes.get(vendor)?.key ?? {});
    expect(await settled(rep)).toMatchObject({ state: "connected", isSandbox: true });
    const start = (phoneNumber: string) => app.ask("POST", "/v1/calls", { token, body: { phoneNumber } });
    expect((await start("+12125550123")).json()).toMatchObject({ type: "/api/docs#country-not-allowed" });
    const rate = await app.ask("GET", "/v1/rates/number?phoneNumber=%2B12025550100", { token });
    expect(rate.json()).toMatchObject({ isSandbox: true });
    expect((await app.ask("GET", "/v1/phone-numbers/use", { token })).json()).toMatchObject({ isSandbox: true });
    await buyNumber(app, rep, await settled(rep));
    const callSid = await dial(app, rep, "+12025550100");
    await waitForStatus(app, rep, { callSid, status: "in-progress" });
    await app.ask("POST", `/v1/calls/${callSid}/hang-up`, { token });
  },
);

test("an unknown vendor is refused", async () => {
  const rep = await newRep(app);
  expect((await connect(rep, "nobody", {})).json().type).toBe("/api/docs#not-supported");
});
