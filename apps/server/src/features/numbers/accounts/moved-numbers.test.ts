import type { NumberOrder, UnusedNumber } from "@leadline/contract/number-orders";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { carrierModules, provisioners } from "../../../adapters.ts";
import { atVendor, connectAccount } from "../../../testing/connect-account.ts";
import { ownVendorSandboxes } from "../../../testing/own-vendor-sandboxes.ts";
import { newRep, testAppWithCalls } from "../../../testing/test-calls.ts";

const { databaseUrl, sandboxes } = await ownVendorSandboxes();
const app = testAppWithCalls(carrierModules, {
  databaseUrl,
  accounts: () => ({ sandboxes, publicAddress: async () => null }),
});

test.each(provisioners.map(({ module }) => [module.name, module.id] as const))(
  "%s: a number moved at the vendor is noted once, also if that is dismissed, until it rings here again",
  async (name, vendor) => {
    const sandbox = sandboxes.get(vendor);
    if (!sandbox) throw new Error(`${name} has no sandbox.`);
    const [rep, other] = [await newRep(app), await newRep(app)];
    const { id: accountId, trunk } = await connectAccount(app, rep, { vendor, sandbox });
    const { trunk: elsewhere } = await connectAccount(app, other, { vendor, sandbox });
    const ask = async (method: "GET" | "POST", path: `/${string}`, body?: object) =>
      (await app.ask(method, path, { token: rep.token, ...(body && { body }) })).json();
    const [{ number }] = await ask("GET", `/v1/phone-numbers/available?countryCode=US&accountId=${accountId}`);
    await ask("POST", "/v1/number-orders", { accountId, number, countryCode: "US" });
    await app.database.withTransaction({ organisationId: rep.organisationId }, (tx) =>
      sql`update phone_numbers set state_since = state_since - interval '1 hour'`.execute(tx),
    );
    const moveTo = (where: string) =>
      atVendor({ vendor, sandbox }, (provisioner) => provisioner.attach(number, where, { moves: true }));
    const compare = async () => {
      const unused: UnusedNumber[] = await ask("POST", `/v1/carrier-accounts/${accountId}/check-numbers`);
      const notes: NumberOrder[] = await ask("GET", "/v1/number-orders");
      return { unused, notes };
    };
    const moved = `${number} doesn’t ring here any more: it was moved at ${name}.`;
    const unused = [{ number, use: expect.stringContaining(elsewhere) }];
    const isNoted = { unused, notes: [{ number, state: "changed-elsewhere", sentence: moved }] };
    const isHere = { unused: [], notes: [] };

    await moveTo(elsewhere);
    const { notes } = await compare();
    expect(await compare()).toMatchObject(isNoted);
    await moveTo(trunk);
    expect(await compare()).toEqual(isHere);

    await moveTo(elsewhere);
    expect(await compare()).toMatchObject(isNoted);
    await app.ask("DELETE", `/v1/number-orders/${notes[0]?.id}`, { token: rep.token });
    expect(await compare()).toEqual({ unused, notes: [] });
    await moveTo(trunk);
    expect(await compare()).toEqual(isHere);

    await moveTo(elsewhere);
    expect(await compare()).toMatchObject(isNoted);
    await ask("POST", `/v1/carrier-accounts/${accountId}/numbers`, { number, moves: true });
    expect(await compare()).toEqual(isHere);
  },
);
