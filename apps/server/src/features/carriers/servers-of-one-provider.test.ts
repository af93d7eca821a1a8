import type { CarrierModule } from "@leadline/adapter-kit/carrier";
import { identify } from "@leadline/carrier-sip-trunk/identify";
import { openSipTrunk } from "@leadline/carrier-sip-trunk/open-sip-trunk";
import { carrier as sipTrunk } from "@leadline/carrier-sip-trunk/server";
import { startDns } from "@leadline/carrier-sip-trunk/testing/start-dns";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { createLog } from "../../log.ts";
import { newRep, type Rep, testAppWithCalls } from "../../testing/test-calls.ts";
import { findConflicts } from "./refuse-taken-identity.ts";
import { assignServers } from "./server-owners.ts";

/** Knows no name: addresses in this machine's own networks would make names count for nothing. */
const dns = await startDns([]);
afterAll(() => dns.close());
const trunk: CarrierModule<typeof sipTrunk.settings> = {
  ...sipTrunk,
  identify: (settings) => identify(settings, dns.resolver),
  open: (settings, listener, shared) => openSipTrunk(settings, { listener, ...shared, resolver: dns.resolver }),
};
const app = testAppWithCalls([trunk]);

/** The fields that are refused; none if it is connected. */
async function connect(rep: Rep, settings: object): Promise<string[]> {
  const answer = await app.ask("POST", "/v1/carriers", {
    token: rep.token,
    body: { kind: "sip-trunk", label: "Trunk", settings: { transport: "udp", ...settings } },
  });
  expect([201, 422]).toContain(answer.statusCode);
  return (answer.json().errors ?? []).map(({ field }: { field: string }) => field);
}
const byAddress = (host: string) => ({ host, authentication: "ip" });
const byPassword = (host: string) => ({ host, authentication: "digest", user: "agent", password: "secret" });
const refused = ["settings.host"];

test("a provider that identifies this server by its address does so at each of its servers", async () => {
  const [owner, stranger] = [await newRep(app), await newRep(app)];
  expect(await connect(owner, byAddress("sip.eu.pops.co.uk"))).toEqual([]);
  for (const settings of [
    byPassword("sip.us.pops.co.uk"),
    byAddress("SIP.US.pops.co.uk.:5070"),
    { ...byPassword("elsewhere.co.uk"), outboundProxy: "pops.co.uk" },
  ])
    expect(await connect(stranger, settings)).toEqual(refused);
  expect(await connect(stranger, byPassword("sip.elsewhere.co.uk"))).toEqual([]);
  expect(await connect(owner, byPassword("sip.us.pops.co.uk"))).toEqual([]);
});

test("refuses to connect by address where another organisation already calls another server with a password", async () => {
  const [owner, stranger] = [await newRep(app), await newRep(app)];
  expect(await connect(owner, byPassword("sip.eu.known.co.uk"))).toEqual([]);
  expect(await connect(stranger, byPassword("sip.us.known.co.uk"))).toEqual([]);
  expect(await connect(stranger, byAddress("sip.us.known.co.uk"))).toEqual(refused);
});

test("customers of one dynamic DNS service are different providers", async () => {
  const [owner, other] = [await newRep(app), await newRep(app)];
  expect(await connect(owner, byAddress("one.duckdns.org"))).toEqual([]);
  expect(await connect(other, byAddress("another.duckdns.org"))).toEqual([]);
});

test("the trunk of an account connected by its key isn't kept out by another server of its vendor", async () => {
  const [squatter, owner] = [await newRep(app), await newRep(app)];
  expect(await connect(squatter, byAddress("invented.vendor.co.uk"))).toEqual([]);
  const { organisationId } = owner;
  const conflicts = async (host: string, isEntered: boolean) => {
    const settings = trunk.settings.parse({ transport: "udp", ...byPassword(host) });
    const identity = await identify(settings, dns.resolver);
    const entered = isEntered ? identity.servers : [];
    return app.database.withTransaction({ organisationId }, (tx) =>
      findConflicts(tx, { organisationId, identity, entered, log: createLog("silent") }),
    );
  };
  expect(await conflicts("ours.vendor.co.uk", true)).toHaveLength(1);
  expect(await conflicts("ours.vendor.co.uk", false)).toEqual([]);
  expect(await conflicts("invented.vendor.co.uk", false)).toHaveLength(1);
});

test("who already has a server of that provider can change other settings, but neither the server nor the sign-in", async () => {
  const [squatter, owner] = [await newRep(app), await newRep(app)];
  expect(await connect(owner, byPassword("ours.kept.co.uk"))).toEqual([]);
  expect(await connect(squatter, byAddress("invented.elsewhere.example"))).toEqual([]);
  // As from before servers of one domain were compared.
  const identity = await identify(trunk.settings.parse(byAddress("invented.kept.co.uk")), dns.resolver);
  await app.database.withTransaction({ organisationId: squatter.organisationId }, (tx) =>
    tx
      .updateTable("carriers")
      .set({ identity: JSON.stringify(identity) })
      .where("organisation_id", "=", squatter.organisationId)
      .execute(),
  );
  const [{ id }] = (await app.ask("GET", "/v1/carriers", { token: owner.token })).json();
  const change = async (settings: object) => {
    const body = { kind: "sip-trunk", settings: { transport: "udp", ...settings } };
    const checked = app.ask("POST", "/v1/carriers/check", { token: owner.token, body: { ...body, id } });
    const changed = app.ask("PUT", `/v1/carriers/${id}`, { token: owner.token, body: { settings: body.settings } });
    return [(await checked).statusCode, (await changed).statusCode];
  };
  expect(await change(byPassword("ours.kept.co.uk"))).toEqual([200, 200]);
  expect(await change(byPassword("other.kept.co.uk"))).toEqual([422, 422]);
  expect(await change(byAddress("ours.kept.co.uk"))).toEqual([422, 422]);
});

test("the administrator gives one of a provider's servers to another organisation", async () => {
  const [owner, other, stranger] = [await newRep(app), await newRep(app), await newRep(app)];
  expect(await connect(owner, byAddress("sip.eu.given.co.uk"))).toEqual([]);
  expect(await connect(other, byPassword("sip.us.given.co.uk"))).toEqual(refused);
  assignServers(new Map([["sip.us.given.co.uk", other.organisationId]]));
  onTestFinished(() => assignServers(new Map()));
  expect(await connect(other, byPassword("sip.us.given.co.uk"))).toEqual([]);
  expect(await connect(owner, byAddress("sip.eu.given.co.uk"))).toEqual([]);
  for (const host of ["sip.us.given.co.uk", "sip.asia.given.co.uk"])
    expect(await connect(stranger, byPassword(host))).toEqual(refused);
});
