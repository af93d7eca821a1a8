import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { z } from "zod";
import { testOddAnswers } from "./conformance/provisioner-odd-answers.ts";
import { testFurtherRuns } from "./conformance/provisioner-further-runs.ts";
import { nothing, testProvisionerNumbers, wantTrunk } from "./conformance/provisioner-numbers.ts";
import {
  type CallRecord,
  connectSteps,
  type Provisioner,
  ProvisionerError,
  type ProvisionerModule,
  type ProvisionerSandbox,
} from "./provisioner.ts";

export interface ProvisionerConformance<Settings extends z.ZodObject> {
  module: ProvisionerModule<Settings>;
  /** Starts the vendor for these tests, and returns the API key it accepts. */
  start(): Promise<{
    sandbox: ProvisionerSandbox;
    key: Record<string, string>;
    /** What the account contains. */
    counts(): { trunks: number; credentialLists: number; originationUrls: number; numbers: number; charges: number };
    /** The account gets what the country requires for a local number. */
    meetRequirements(countryCode: string): void;
    /** Somebody makes calls to this number go elsewhere, without a trunk. */
    useElsewhere(number: string): Promise<void>;
    /** Adds a call record on the trunk with this name. Returns the id that SIP would have shown. */
    addRecord(record: { trunk: string; from: string; to: string; startedAt: Date; seconds: number }): string;
    close(): Promise<void>;
  }>;
  /** A well-formed key that it rejects. */
  wrongKey: Record<string, string>;
  /** ISO 3166-1 codes of a country without requirements and one that requires documents. */
  countries: { free: string; regulated: string };
}

/** The tests that every provisioner must pass before it is listed in the server's adapters. */
export function describeProvisionerConformance<Settings extends z.ZodObject>(
  options: ProvisionerConformance<Settings>,
): void {
  const { module, countries } = options;
  describe(`${module.name} keeps a provisioner's promises`, () => {
    let vendor: Awaited<ReturnType<typeof options.start>>;
    let provisioner: Provisioner;
    const openWith = (key: Record<string, string>) =>
      module.open(module.settings.parse(key), { sandbox: vendor.sandbox });
    beforeAll(async () => {
      vendor = await options.start();
      provisioner = await openWith(vendor.key);
    });
    afterAll(async () => {
      provisioner.close();
      await vendor.close();
    });

    const holdings = () => vendor.counts();
    it("reads the account, its balance and its limits", async () => {
      const account = await provisioner.account();
      expect(account.balance?.currency).toMatch(/^[A-Z]{3}$/);
      expect(account.limits.callsPerSecond).toBeGreaterThan(0);
    });

    it("says in a sentence that a key is wrong", async () => {
      const stranger = await openWith(options.wrongKey);
      const refused = stranger.account();
      await expect(refused).rejects.toBeInstanceOf(ProvisionerError);
      await expect(refused).rejects.toMatchObject({ fault: "key-refused", message: expect.stringMatching(/\.$/) });
      stranger.close();
    });

    it("creates a trunk step by step, and a second run changes nothing", async () => {
      const wanted = wantTrunk();
      const before = holdings();
      const steps: string[] = [];
      const first = await provisioner.ensureTrunk(wanted, async (step) => void steps.push(step));
      expect(steps).toEqual(connectSteps.filter((step) => step === "trunk" || step === "credentials"));
      const made = holdings();
      expect(made.trunks).toBe(before.trunks + 1);
      expect(made.credentialLists).toBe(before.credentialLists + 1);
      const again = await provisioner.ensureTrunk(wanted, nothing);
      expect(again).toEqual(first);
      expect(holdings()).toEqual(made);
      await provisioner.removeTrunk(wanted.name);
      expect(holdings()).toEqual(before);
    });

    it.each(["trunk", "credentials"] as const)(
      "is left in one piece by a crash after the step %s",
      async (lastStep) => {
        const wanted = wantTrunk();
        const before = holdings();
        const crash = provisioner.ensureTrunk(wanted, async (step) => {
          if (step === lastStep) throw new Error("killed");
        });
        await expect(crash).rejects.toThrow(/killed/);
        expect(await provisioner.hasTrunk(wanted.name)).toBe(true);
        await provisioner.ensureTrunk(wanted, nothing);
        const { trunks, credentialLists } = holdings();
        expect([trunks, credentialLists]).toEqual([before.trunks + 1, before.credentialLists + 1]);
        await provisioner.removeTrunk(wanted.name);
        expect(await provisioner.hasTrunk(wanted.name)).toBe(false);
        expect(holdings()).toEqual(before);
      },
    );

    it("removes only what has the name, idempotently", async () => {
      const [ours, theirs] = [wantTrunk(), wantTrunk()];
      await provisioner.ensureTrunk(theirs, nothing);
      const before = holdings();
      await provisioner.ensureTrunk(ours, nothing);
      await provisioner.removeTrunk(ours.name);
      await provisioner.removeTrunk(ours.name);
      expect(holdings()).toEqual(before);
      await provisioner.removeTrunk(theirs.name);
    });

    it("reports the calls of one trunk since a time, with the id that SIP shows", async () => {
      const [ours, theirs] = [wantTrunk(), wantTrunk()];
      for (const wanted of [ours, theirs]) await provisioner.ensureTrunk(wanted, nothing);
      const call = { from: "+12125550100", to: "+12125550101", seconds: 61 };
      const earlier = new Date(Date.now() - 7_200_000);
      const startedAt = new Date(Math.floor(Date.now() / 1_000) * 1_000 - 600_000);
      vendor.addRecord({ ...call, trunk: ours.name, startedAt: earlier });
      const callId = vendor.addRecord({ ...call, trunk: ours.name, startedAt });
      vendor.addRecord({ ...call, trunk: theirs.name, startedAt });
      const since = new Date(Date.now() - 3_600_000).toISOString();
      const records: CallRecord[] = [];
      for await (const record of provisioner.records({ trunk: ours.name, since })) records.push(record);
      expect(records).toEqual([expect.objectContaining({ ...call, callId, startedAt: startedAt.toISOString() })]);
      for (const { name } of [ours, theirs]) await provisioner.removeTrunk(name);
    });

    testFurtherRuns({ module, vendor: () => vendor, provisioner: () => provisioner, holdings });
    testOddAnswers({ module, countryCode: countries.free, vendor: () => vendor });
    testProvisionerNumbers({
      module,
      countries,
      provisioner: () => provisioner,
      holdings,
      meetRequirements: (countryCode) => vendor.meetRequirements(countryCode),
      useElsewhere: (number) => vendor.useElsewhere(number),
    });
  });
}
