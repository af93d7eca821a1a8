import { expect, it } from "vitest";
import type { z } from "zod";
import type { Provisioner, ProvisionerModule, ProvisionerSandbox } from "../provisioner.ts";
import { nothing, wantTrunk } from "./provisioner-numbers.ts";
import { standBetween } from "./stand-between.ts";

interface UnderTest<Settings extends z.ZodObject> {
  module: ProvisionerModule<Settings>;
  vendor: () => { sandbox: ProvisionerSandbox; key: Record<string, string> };
  provisioner: () => Provisioner;
  holdings: () => { trunks: number; credentialLists: number; originationUrls: number };
}

/** What a further run corrects: what has changed, and duplicates of requests whose responses were lost. */
export function testFurtherRuns<Settings extends z.ZodObject>(underTest: UnderTest<Settings>): void {
  const { module, vendor, provisioner, holdings } = underTest;

  it("corrects a changed password or address of this server, also if that has none any more", async () => {
    const wanted = wantTrunk();
    const before = holdings();
    await provisioner().ensureTrunk(wanted, nothing);
    const made = holdings();
    const moved = { ...wanted, password: `Bb2${wanted.password}`, calledAt: { address: "198.51.100.8", port: 5071 } };
    const { settings } = await provisioner().ensureTrunk(moved, nothing);
    expect(settings).toMatchObject({ user: wanted.user, password: moved.password });
    expect(holdings()).toEqual(made);
    await provisioner().ensureTrunk({ ...moved, calledAt: null }, nothing);
    expect(holdings()).toEqual({ ...made, originationUrls: before.originationUrls });
    await provisioner().removeTrunk(wanted.name);
  });

  async function ensureTwice(wanted: ReturnType<typeof wantTrunk>): Promise<void> {
    const { sandbox, key } = vendor();
    const between = await standBetween(sandbox.address, async ({ method, send }) => {
      const answer = await send();
      if (method === "POST") await send();
      return answer;
    });
    const settings = module.settings.parse(key);
    const throughIt = await module.open(settings, { sandbox: { ...sandbox, address: between.address } });
    await throughIt.ensureTrunk(wanted, nothing).finally(() => throughIt.close());
    await between.close();
  }

  it("leaves one of each, although the vendor carried out each request to create it twice", async () => {
    const [wanted, plain] = [wantTrunk(), wantTrunk()];
    const before = holdings();
    await provisioner().ensureTrunk(plain, nothing);
    const made = holdings();
    await provisioner().removeTrunk(plain.name);

    await ensureTwice(wanted);
    expect(holdings()).not.toEqual(made);
    await provisioner().ensureTrunk(wanted, nothing);
    expect(holdings()).toEqual(made);
    await provisioner().removeTrunk(wanted.name);
    expect(holdings()).toEqual(before);

    await ensureTwice(wanted);
    await provisioner().removeTrunk(wanted.name);
    expect(holdings()).toEqual(before);
  });
}
