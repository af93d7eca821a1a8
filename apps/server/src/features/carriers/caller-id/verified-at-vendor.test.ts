import type { CarrierModule } from "@leadline/adapter-kit/carrier";
import { openSipTrunk } from "@leadline/carrier-sip-trunk/open-sip-trunk";
import { carrier as sipTrunk } from "@leadline/carrier-sip-trunk/server";
import type { CarrierConnection } from "@leadline/contract/carriers";
import { expect, test } from "vitest";
import { carrierModules, provisioners } from "../../../adapters.ts";
import { connectAccount } from "../../../testing/connect-account.ts";
import { ownVendorSandboxes } from "../../../testing/own-vendor-sandboxes.ts";
import { dial, newRep, testAppWithCalls, waitForStatus } from "../../../testing/test-calls.ts";
import { hashCode } from "./hash-code.ts";

/** As at a vendor on the Internet, where a caller ID must be verified here too. */
const trunk: CarrierModule<typeof sipTrunk.settings> = {
  ...sipTrunk,
  open: (settings, listener, shared) => openSipTrunk(settings, { listener, ...shared, vouchesFor: () => false }),
};
const { databaseUrl, sandboxes } = await ownVendorSandboxes();
const app = testAppWithCalls([...carrierModules.filter(({ id }) => id !== trunk.id), trunk], {
  databaseUrl,
  accounts: () => ({ sandboxes, publicAddress: async () => null }),
});

test.each(provisioners.map(({ module }, index) => [module.name, module.id, `+1202555010${index}`] as const))(
  "%s: a caller ID is refused until the vendor has verified it, then verified here and shown on calls",
  async (_name, vendor, number) => {
    const sandbox = sandboxes.get(vendor);
    if (!sandbox) throw new Error(`${vendor} has no sandbox.`);
    const rep = await newRep(app);
    const { token, organisationId } = rep;
    const { carrierId } = await connectAccount(app, rep, { vendor, sandbox });
    const carrier = async (): Promise<CarrierConnection> =>
      (await app.ask("GET", "/v1/carriers", { token })).json().find(({ id }: { id: string }) => id === carrierId);
    const settings = { ...(await carrier()).settings, callerId: number };
    const saved = await app.ask("PUT", `/v1/carriers/${carrierId}`, { token, body: { settings } });
    expect(saved.json()).toMatchObject({ callerId: { number, unverifiedAt: [expect.any(String)] } });
    const start = () => app.ask("POST", "/v1/calls", { token, body: { phoneNumber: "+12025550100" } });
    expect((await start()).json()).toMatchObject({ type: "/api/docs#caller-id-missing" });

    // This call shows the number as well.
    const callToVerify = () => app.ask("POST", `/v1/carriers/${carrierId}/caller-id/call`, { token });
    expect((await callToVerify()).json()).toMatchObject({
      type: "/api/docs#caller-id-not-verified",
      detail: expect.stringMatching(/didn’t go through\. .* has (bought or )?verified\./),
    });
    sandbox.verifyCallerId(number);
    expect((await callToVerify()).statusCode).toBe(201);
    // The callee can't tell which code it heard.
    const code = "424242";
    await app.database.withTransaction({ organisationId }, (tx) =>
      tx
        .updateTable("caller_id_codes")
        .set({ code_hash: hashCode(carrierId, code) })
        .execute(),
    );
    const verified = await app.ask("POST", `/v1/carriers/${carrierId}/caller-id/code`, { token, body: { code } });
    expect(verified.json()).toMatchObject({ callerId: { number, unverifiedAt: [] } });

    const callSid = await dial(app, rep, "+12025550100");
    expect(await waitForStatus(app, rep, { callSid, status: "in-progress" })).toMatchObject({ shownNumber: number });
    await app.ask("POST", `/v1/calls/${callSid}/hang-up`, { token });
  },
);

test.each(provisioners.map(({ module }, index) => [module.name, module.id, `+1202555017${index}`] as const))(
  "%s: a call that shows a number which the vendor hasn’t verified fails and says why, and works once it has",
  async (_name, vendor, number) => {
    const sandbox = sandboxes.get(vendor);
    if (!sandbox) throw new Error(`${vendor} has no sandbox.`);
    const rep = await newRep(app);
    const { token, organisationId } = rep;
    const { carrierId } = await connectAccount(app, rep, { vendor, sandbox });
    const listed: CarrierConnection[] = (await app.ask("GET", "/v1/carriers", { token })).json();
    const settings = { ...listed[0]?.settings, callerId: number };
    const saved = await app.ask("PUT", `/v1/carriers/${carrierId}`, { token, body: { settings } });
    const [server = ""] = saved.json().callerId.unverifiedAt;
    await app.database.withTransaction({ organisationId }, (tx) =>
      tx.insertInto("verified_caller_ids").values({ organisation_id: organisationId, number, server }).execute(),
    );
    const callSid = await dial(app, rep, "+12025550100");
    expect(await waitForStatus(app, rep, { callSid, status: "failed" })).toMatchObject({
      shownNumber: number,
      cause: { sip: 403 },
      refusal: expect.stringMatching(/caller ID.* has (bought or )?verified\./),
    });
    sandbox.verifyCallerId(number);
    const placed = await dial(app, rep, "+12025550100");
    await waitForStatus(app, rep, { callSid: placed, status: "in-progress" });
    await app.ask("POST", `/v1/calls/${placed}/hang-up`, { token });
  },
);
