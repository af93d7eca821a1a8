import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { loudness } from "@leadline/adapter-kit/conformance/tone";
import { wantTrunk } from "@leadline/adapter-kit/conformance/provisioner-numbers";
import type { VendorSandbox } from "@leadline/carrier-sandbox/vendor/vendor-sandbox";
import { type Baresip, startBaresip } from "@leadline/carrier-sip-trunk/testing/start-baresip";
import { openStage, type Stage } from "@leadline/carrier-sip-trunk/testing/start-callees";
import { soundOfWave } from "@leadline/carrier-sip-trunk/testing/wave";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { provisioners } from "../adapters.ts";
import { atVendor } from "../testing/connect-account.ts";
import { startVendorSandboxes } from "./start-vendor-sandboxes.ts";

const speaks = "+12025550100";

let stage: Stage;
let sandboxes: ReadonlyMap<string, VendorSandbox> = new Map();
beforeAll(async () => {
  stage = await openStage();
  sandboxes = await startVendorSandboxes(null);
});
afterAll(async () => {
  await stage.close();
  for (const sandbox of sandboxes.values()) await sandbox.close();
});

const untilHeard = (baresip: Baresip): Promise<void> =>
  vi.waitFor(async () => {
    const [recording] = await baresip.recordings();
    expect(recording).toBeDefined();
    expect(loudness(await soundOfWave(recording ?? ""))).toBeGreaterThan(500);
  });

test.each(
  provisioners.flatMap(({ module: { id, name } }) =>
    (["udp", "tls"] as const).map((transport) => [name, transport, id] as const),
  ),
)(
  "baresip calls through %s's sandbox over %s, is rung where it registers, and hears the other end",
  async (_, transport, id) => {
    const sandbox = sandboxes.get(id);
    if (!sandbox) throw new Error(`${id} has no sandbox.`);
    const wanted = wantTrunk();
    const { registers, number } = await atVendor({ vendor: id, sandbox }, async (provisioner) => {
      const { settings } = await provisioner.ensureTrunk(wanted, async () => {});
      const [offered] = await provisioner.searchNumbers({ countryCode: "US", query: null, limit: 1 });
      const offer = { number: offered?.number ?? "", countryCode: "US", type: "local" } as const;
      const intent = { ...offer, trunk: wanted.name, reference: randomUUID() };
      await vi.waitFor(async () => expect((await provisioner.buy(intent)).state).toBe("bought"));
      return { registers: settings["authentication"] === "register", number: offer.number };
    });
    const authority = join(stage.folder, `${id}.pem`);
    await writeFile(authority, sandbox.sipOverTls.authority);
    const place = transport === "tls" ? sandbox.sipOverTls.address : sandbox.sip;
    const credentials = `auth_user=${wanted.user};auth_pass=${wanted.password}`;
    const signIn = `${credentials};outbound="sip:${place};transport=${transport}"`;
    const baresip = await stage.keep(
      startBaresip(stage.peers, {
        folder: stage.folder,
        // What callees see: vendors refuse calls that show none of the account's numbers.
        user: number,
        account: `;answermode=auto;${signIn}`,
        registers,
        lines: [`sip_cafile ${authority}`, "sip_verify_server yes"],
      }),
    );
    const told = (type: string) => vi.waitFor(() => expect(baresip.events.map((event) => event.type)).toContain(type));
    baresip.command("dial", `sip:${speaks}@127.0.0.1`);
    await told("CALL_ESTABLISHED");
    await untilHeard(baresip);
    baresip.command("hangup");
    await told("CALL_CLOSED");
    // The others call the address that they are told, which is Leadline's own.
    if (!registers) return;
    await vi.waitFor(() => expect(baresip.output()).toMatch(/\b200 OK\b/));
    const calling = sandbox.call({ from: speaks, to: number });
    // Once audio arrives.
    const connected = { type: "CALL_RTPESTAB", direction: "incoming" };
    await vi.waitFor(() => expect(baresip.events).toContainEqual(expect.objectContaining(connected)));
    baresip.command("hangup");
    expect(await calling).toBe(200);
  },
);
