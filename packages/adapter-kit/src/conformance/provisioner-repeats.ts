import { expect, it } from "vitest";
import type { z } from "zod";
import type { ProvisionerModule, ProvisionerSandbox } from "../provisioner.ts";
import { nothing, wantTrunk } from "./provisioner-numbers.ts";
import { standBetween } from "./stand-between.ts";

interface UnderTest<Settings extends z.ZodObject> {
  module: ProvisionerModule<Settings>;
  vendor: () => { sandbox: ProvisionerSandbox; key: Record<string, string> };
  holdings: () => { trunks: number; credentialLists: number; originationUrls: number };
}

/** A request whose response was lost may have been carried out all the same, also after the next run has looked. */
export function testRepeatedCreates<Settings extends z.ZodObject>(underTest: UnderTest<Settings>): void {
  const { module, vendor, holdings } = underTest;

  async function ensureTwice(wanted: ReturnType<typeof wantTrunk>): Promise<void> {
    const { sandbox, key } = vendor();
    const between = await standBetween(sandbox.address, async ({ method, send }) => {
      const answer = await send();
      if (method === "POST") await send();
      return answer;
    });
    const settings = module.settings.parse(key);
    const provisioner = await module.open(settings, { sandbox: { ...sandbox, address: between.address } });
    await provisioner.ensureTrunk(wanted, nothing).finally(() => provisioner.close());
    await between.close();
  }

  it("leaves one of each, although the vendor carried out each request to create it twice", async () => {
    const { sandbox, key } = vendor();
    const provisioner = await module.open(module.settings.parse(key), { sandbox });
    const [wanted, plain] = [wantTrunk(), wantTrunk()];
    const before = holdings();
    await provisioner.ensureTrunk(plain, nothing);
    const made = holdings();
    await provisioner.removeTrunk(plain.name);

    await ensureTwice(wanted);
    expect(holdings()).not.toEqual(made);
    await provisioner.ensureTrunk(wanted, nothing);
    expect(holdings()).toEqual(made);
    await provisioner.removeTrunk(wanted.name);
    expect(holdings()).toEqual(before);

    await ensureTwice(wanted);
    await provisioner.removeTrunk(wanted.name);
    expect(holdings()).toEqual(before);
    provisioner.close();
  });
}
