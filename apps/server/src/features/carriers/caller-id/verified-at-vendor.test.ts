import type { CarrierModule } from "@leadline/adapter-kit/carrier";
import { openSipTrunk } from "@leadline/carrier-sip-trunk/open-sip-trunk";
import { carrier as sipTrunk } from "@leadline/carrier-sip-trunk/server";
import type { CarrierConnection } from "@leadline/contract/carriers";
import { expect, test } from "vitest";
import { carrierModules, provisioners } from "../../../adapters.ts";
import { connectAccount } from "../../../testing/connect-account.ts";
import { ownVendorSandboxes } from "../../../testing/own-vendor-sandboxes.ts";
import { dial, newRep, testAppWithCalls, waitForStatus } from "../../../testing/test-calls.ts";

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
