import { oddities, startOddAnswers } from "@leadline/adapter-kit/conformance/start-odd-answers";
import type { ProvisionerModule } from "@leadline/adapter-kit/provisioner";
import type { VendorSandbox } from "@leadline/carrier-sandbox/vendor/vendor-sandbox";
import type { CarrierAccount } from "@leadline/contract/carrier-accounts";
import type { NumberUse } from "@leadline/contract/phone-numbers";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { carrierModules, provisioners } from "../../adapters.ts";
import { connectAccount } from "../../testing/connect-account.ts";
import { ownVendorSandboxes } from "../../testing/own-vendor-sandboxes.ts";
import { dial, newRep, type Rep, testAppWithCalls, waitForStatus } from "../../testing/test-calls.ts";

const { databaseUrl, sandboxes } = await ownVendorSandboxes();
/** The steps before which the next runs fail, in order. */
const failures: string[] = [];
/** The vendors, whose runs a test can let fail. A wrong key goes to the sandbox too, which refuses it. */
const modules = provisioners.map(({ module }): ProvisionerModule => ({
  ...module,
  async open(key, options) {
    const provisioner = await module.open(key, { sandbox: options.sandbox ?? sandboxes.get(module.id) ?? null });
    const fail = (step: string): void => {
      if (failures[0] === step && failures.shift()) throw new Error(`failed before ${step}`);
    };
    return {
      ...provisioner,
      async ensureTrunk(wanted, onStep) {
        fail("trunk");
        const made = await provisioner.ensureTrunk(wanted, async (step, sentence) => {
          await onStep(step, sentence);
          fail(`after ${step}`);
        });
        fail("inbound");
        return made;
      },
    };
  },
}));
const app = testAppWithCalls(carrierModules, {
  databaseUrl,
  accounts: () => ({ sandboxes, modules, publicAddress: async () => null }),
});

describe.each(provisioners.map(({ module }) => [module.name, module.id] as const))("%s", (name, vendor) => {
  const sandbox = (): VendorSandbox => {
    const found = sandboxes.get(vendor);
    if (!found) throw new Error(`${vendor} has no sandbox.`);
    return found;
  };
  const connect = async (rep: Rep): Promise<CarrierAccount> => {
    const body = { vendor, label: "Calls", key: sandbox().key };
    return (await app.ask("POST", "/v1/carrier-accounts", { token: rep.token, body })).json();
  };
  const connectAgain = async (rep: Rep, { id }: { id: string }, key?: object): Promise<CarrierAccount> => {
    const body = key ? { key } : {};
    const again = await app.ask("POST", `/v1/carrier-accounts/${id}/connect`, { token: rep.token, body });
    expect(again.statusCode).toBe(200);
    return settled(rep);
  };
  const settled = (rep: Rep): Promise<CarrierAccount> =>
    vi.waitFor(
      async () => {
        const [account] = (await app.ask("GET", "/v1/carrier-accounts", { token: rep.token })).json();
        if (!account || account.state === "connecting") throw new Error("It is being connected.");
        return account;
      },
      { interval: 50 },
    );
  /** Answers in the vendor's place after the first `good` requests, until the returned function is called. */
  async function answerOddly(good: number): Promise<() => void> {
    const { address } = sandbox();
    const proxy = await startOddAnswers(address, { oddity: oddities["a web page"], good });
    const stop = (): void => void (sandbox().address = address);
    onTestFinished(async () => {
      stop();
      await proxy.close();
    });
    sandbox().address = proxy.address;
    return stop;
  }

  test("a run that fails at any step says so, and running it again leaves one trunk and one carrier", async () => {
    const rep = await newRep(app);
    const before = sandbox().counts();
    const steps = ["trunk", "after trunk", "after credentials", "inbound"];
    failures.push(...steps);
    const { id } = await connect(rep);
    for (const [index] of steps.entries()) {
      const account = await (index === 0 ? settled(rep) : connectAgain(rep, { id }));
      expect(account).toMatchObject({
        state: "failed",
        failure: expect.stringMatching(/error on our side.* Connect again/),
        isUsed: false,
      });
    }
    expect(await connectAgain(rep, { id })).toMatchObject({ state: "connected", failure: null, isUsed: true });
    const { trunks, credentialLists } = sandbox().counts();
    expect([trunks, credentialLists]).toEqual([before.trunks + 1, before.credentialLists + 1]);
    expect((await app.ask("GET", "/v1/carriers", { token: rep.token })).json()).toHaveLength(1);
    await app.ask("DELETE", `/v1/carrier-accounts/${id}`, { token: rep.token });
    expect(sandbox().counts()).toEqual(before);
  });

  test("a web page in place of the vendor's response fails the connection with a sentence, and it can be run again", async () => {
    const rep = await newRep(app);
    const stop = await answerOddly(1);
    const { id } = await connect(rep);
    expect(await settled(rep)).toMatchObject({
      state: "failed",
      failure: expect.stringMatching(/^Leadline can’t read the response from .* address\. .*proxy or firewall/),
    });
    stop();
    expect(await connectAgain(rep, { id })).toMatchObject({ state: "connected", failure: null });
    await app.ask("DELETE", `/v1/carrier-accounts/${id}`, { token: rep.token });
  });

  test.each([
    ["a wrong key", /doesn’t accept this key/],
    ["a vendor that isn't reached", /can’t read the response/],
  ])(
    "an account that can't be connected again, because of %s, keeps calling and selling numbers as before",
    async (why, sentence) => {
      const rep = await newRep(app);
      const { token } = rep;
      const { id } = await connectAccount(app, rep, { vendor, sandbox: sandbox() });
      const before = sandbox().counts();
      const wrong = Object.fromEntries(
        Object.entries(sandbox().key).map(([field, value]) => [field, value.replace(/.{4}$/, "0000")]),
      );
      const stop = why === "a wrong key" ? null : await answerOddly(0);
      const failed = await connectAgain(rep, { id }, stop === null ? wrong : undefined);
      expect(failed).toMatchObject({ state: "failed", failure: expect.stringMatching(sentence), isUsed: true });
      stop?.();

      const { sellers }: NumberUse = (await app.ask("GET", "/v1/phone-numbers/use", { token })).json();
      expect(sellers).toMatchObject([{ accountId: id, name }]);
      const asked = new URLSearchParams({ countryCode: "US", accountId: id });
      const [{ number }] = (await app.ask("GET", `/v1/phone-numbers/available?${asked}`, { token })).json();
      const body = { accountId: id, number, countryCode: "US" };
      expect((await app.ask("POST", "/v1/number-orders", { token, body })).json()).toMatchObject({ state: "bought" });
      expect(sandbox().counts()).toMatchObject({ numbers: before.numbers + 1, trunks: before.trunks });
      const callSid = await dial(app, rep, "+12025550100");
      await waitForStatus(app, rep, { callSid, status: "in-progress" });
      await app.ask("POST", `/v1/calls/${callSid}/hang-up`, { token });

      // Otherwise it is removed with the key in use.
      const again = stop ? await connectAgain(rep, { id }) : failed;
      expect(again.state).toBe(stop ? "connected" : "failed");
      expect((await app.ask("DELETE", `/v1/carrier-accounts/${id}`, { token })).statusCode).toBe(204);
      expect(sandbox().counts()).toMatchObject({ trunks: before.trunks - 1 });
    },
  );

  test("a carrier that was stopped and has no limits stays so when its account is connected again", async () => {
    const rep = await newRep(app);
    const { token } = rep;
    const { id, carrierId } = await connectAccount(app, rep, { vendor, sandbox: sandbox() });
    await app.ask("PUT", `/v1/carriers/${carrierId}`, { token, body: { inUse: false } });
    const limits = { callsPerSecond: null, channels: null };
    await app.ask("PUT", `/v1/carriers/${carrierId}`, { token, body: limits });
    expect(await connectAgain(rep, { id })).toMatchObject({ state: "connected" });
    expect((await app.ask("GET", "/v1/carriers", { token })).json()).toMatchObject([
      { id: carrierId, inUse: false, ...limits },
    ]);
  });
});
