import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import type { z } from "zod";
import { type Provisioner, ProvisionerError, type ProvisionerModule, type ProvisionerSandbox } from "../provisioner.ts";
import { nothing, wantTrunk } from "./provisioner-numbers.ts";
import { oddities, startOddAnswers } from "./start-odd-answers.ts";

interface UnderTest<Settings extends z.ZodObject> {
  module: ProvisionerModule<Settings>;
  /** Without requirements. */
  countryCode: string;
  vendor: () => {
    sandbox: ProvisionerSandbox;
    key: Record<string, string>;
    counts: () => { trunks: number; numbers: number; charges: number };
  };
}

/** Guarantee: no caller can pass this. It stands for any mistake in our code. */
const aMistake = (): string => 5 as unknown as string;

/** More than any method sends. */
const maxRequests = 40;

/** Whatever answers in the vendor's place, a method says so and can be repeated. */
export function testOddAnswers<Settings extends z.ZodObject>(underTest: UnderTest<Settings>): void {
  const { module, countryCode, vendor } = underTest;
  const holdings = () => vendor().counts();
  it("doesn't blame the vendor for an error of its own code", async () => {
    const { sandbox, key } = vendor();
    const provisioner = await module.open(module.settings.parse(key), { sandbox });
    try {
      const searching = provisioner.searchNumbers({ countryCode, query: aMistake(), limit: 1 });
      await expect(searching).rejects.toThrow(TypeError);
      await expect(searching).rejects.not.toBeInstanceOf(ProvisionerError);
    } finally {
      provisioner.close();
    }
  });
  it.each(Object.entries(oddities))(
    "says in a sentence that %s can't be read, at each request, and succeeds when repeated",
    async (_what, oddity) => {
      /** Repeats it until each of its requests was answered oddly once. */
      async function repeat<T>(work: (provisioner: Provisioner) => Promise<T>): Promise<T> {
        for (let good = 0; good < maxRequests; good++) {
          const { sandbox, key } = vendor();
          const odd = await startOddAnswers(sandbox.address, { oddity, good });
          const { address } = odd;
          const provisioner = await module.open(module.settings.parse(key), { sandbox: { ...sandbox, address } });
          try {
            const done = work(provisioner);
            await done.catch(() => {});
            if (!odd.wasOdd()) return await done;
            await expect(done).rejects.toBeInstanceOf(ProvisionerError);
            await expect(done).rejects.toMatchObject({
              fault: "unreachable",
              message: expect.stringMatching(/ can’t read the response from .* address\. .*\.$/),
            });
          } finally {
            provisioner.close();
            await odd.close();
          }
        }
        throw new Error("It never succeeds.");
      }

      const before = holdings();
      const [wanted, other] = [wantTrunk(), wantTrunk()];
      await repeat((provisioner) => provisioner.account());
      for (const each of [wanted, other]) await repeat((provisioner) => provisioner.ensureTrunk(each, nothing));
      const search = { countryCode, query: null, limit: 3 };
      const [offered] = await repeat((provisioner) => provisioner.searchNumbers(search));
      const number = offered?.number ?? "";
      expect(await repeat((provisioner) => provisioner.typeOf(number, countryCode))).toBe("local");
      await repeat((provisioner) => provisioner.requirements(countryCode, "local", number));
      const intent = { number, countryCode, type: "local", trunk: wanted.name, reference: randomUUID() } as const;
      await repeat((provisioner) => provisioner.buy(intent));
      expect(await repeat((provisioner) => provisioner.cancel(intent))).toBe("bought");
      await repeat((provisioner) => provisioner.attach(number, other.name, { moves: true }));
      const held = await repeat((provisioner) => provisioner.numbers());
      expect(held).toContainEqual(expect.objectContaining({ number, trunk: other.name }));
      expect(await repeat((provisioner) => provisioner.holds(number))).toBe(true);
      await repeat((provisioner) => provisioner.rates({ digits: "12125550100", country: "US" }));
      const since = new Date(0).toISOString();
      await repeat(async (provisioner) => {
        for await (const record of provisioner.records({ trunk: wanted.name, since })) void record;
      });
      const { trunks, numbers, charges } = holdings();
      expect([trunks, numbers, charges]).toEqual([before.trunks + 2, before.numbers + 1, before.charges + 1]);
      await repeat((provisioner) => provisioner.release(number));
      for (const { name } of [wanted, other]) await repeat((provisioner) => provisioner.removeTrunk(name));
      expect(holdings()).toMatchObject({ trunks: before.trunks, numbers: before.numbers });
    },
  );
}
