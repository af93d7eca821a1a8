import { randomBytes, randomUUID } from "node:crypto";
import { countries as countriesToSearch } from "@leadline/contract/countries";
import { expect, it } from "vitest";
import type { Provisioner, ProvisionerModule, WantedTrunk } from "../provisioner.ts";

export const wantTrunk = (): WantedTrunk => {
  const id = randomBytes(6).toString("hex");
  return {
    name: `leadline-${id}`,
    user: `leadline${id}`,
    password: `Aa1${randomBytes(16).toString("hex")}`,
    calledAt: { address: "198.51.100.7", port: 5070 },
    callLimits: { countries: ["US", "CA"], dailySpendMicros: 25_000_000, simultaneousCalls: 5 },
  };
};
export const nothing = async (): Promise<void> => {};

interface NumbersUnderTest {
  module: Pick<ProvisionerModule, "byHand" | "readsRates">;
  countries: { free: string; regulated: string };
  provisioner: () => Provisioner;
  holdings: () => { numbers: number; charges: number };
  /** The account gets what the country requires for a local number. */
  meetRequirements: (countryCode: string) => void;
  /** Somebody makes calls to this number go elsewhere, without a trunk. */
  useElsewhere: (number: string) => Promise<void>;
}

/** How a provisioner sells numbers, and reports prices. */
export function testProvisionerNumbers(underTest: NumbersUnderTest): void {
  const { module, countries, provisioner, holdings, meetRequirements } = underTest;
  async function anyNumber(): Promise<string> {
    const [first] = await provisioner().searchNumbers({ countryCode: countries.free, query: null, limit: 1 });
    if (!first) throw new Error(`Nothing is for sale in ${countries.free}.`);
    return first.number;
  }

  it("finds numbers with their prices, by digits and by place, and none in a country it doesn't serve", async () => {
    const countryCode = countries.free;
    const found = await provisioner().searchNumbers({ countryCode, query: null, limit: 30 });
    expect(found.length).toBeGreaterThan(0);
    expect(new Set(found.map(({ number }) => number)).size).toBe(found.length);
    for (const { number, monthlyCostMicros } of found) {
      expect(number).toMatch(/^\+[1-9]\d{6,14}$/);
      expect(Number.isSafeInteger(monthlyCostMicros) && monthlyCostMicros > 0).toBe(true);
    }
    const query = found[0]?.number.slice(0, -2) ?? "";
    for (const { number } of await provisioner().searchNumbers({ countryCode, query, limit: 30 }))
      expect(number).toContain(query);
    expect(await provisioner().searchNumbers({ countryCode: "AQ", query: null, limit: 30 })).toEqual([]);
  });

  it("knows the type of a number that is for sale", async () => {
    const number = await anyNumber();
    expect(await provisioner().typeOf(number, countries.free)).toBe("local");
    expect(await provisioner().typeOf("+8835100000000", countries.free)).toBeNull();
  });

  it("sells numbers in each country that Leadline searches, with prices", async () => {
    for (const { iso: countryCode } of countriesToSearch) {
      const found = await provisioner().searchNumbers({ countryCode, query: null, limit: 1 });
      expect([countryCode, found.map(({ monthlyCostMicros }) => monthlyCostMicros > 0)]).toEqual([countryCode, [true]]);
    }
  });

  it("says what a country requires before a number is bought, and sells it once that is met", async () => {
    expect(await provisioner().requirements(countries.free, "local")).toEqual([]);
    const countryCode = countries.regulated;
    const [offered] = await provisioner().searchNumbers({ countryCode, query: null, limit: 1 });
    const number = offered?.number ?? "";
    const asked = await provisioner().requirements(countryCode, "local", number);
    expect(asked.length).toBeGreaterThan(0);
    for (const { met, sentence } of asked) expect([met, sentence]).toEqual([false, expect.stringMatching(/\.$/)]);

    meetRequirements(countryCode);
    const metNow = await provisioner().requirements(countryCode, "local", number);
    expect(metNow.map(({ met }) => met)).toEqual(asked.map(() => true));
    const wanted = wantTrunk();
    await provisioner().ensureTrunk(wanted, nothing);
    const intent = { number, countryCode, type: "local", trunk: wanted.name, reference: randomUUID() } as const;
    await provisioner().buy(intent);
    expect(await provisioner().buy(intent)).toMatchObject({ state: "bought", number: { number } });
    await provisioner().release(number);
    await provisioner().removeTrunk(wanted.name);
  });

  it("buys a number once, however often it is asked, and lists it on its trunk", async () => {
    const wanted = wantTrunk();
    await provisioner().ensureTrunk(wanted, nothing);
    const intent = {
      number: await anyNumber(),
      countryCode: countries.free,
      type: "local",
      trunk: wanted.name,
      reference: randomUUID(),
    } as const;
    const before = holdings();
    const first = await provisioner().buy(intent);
    expect(["bought", "pending"]).toContain(first.state);
    for (let asked = 0; asked < 3; asked++)
      expect(await provisioner().buy(intent)).toMatchObject({ state: "bought", number: { number: intent.number } });
    expect(holdings()).toMatchObject({ numbers: before.numbers + 1, charges: before.charges + 1 });
    const held = await provisioner().numbers();
    expect(held.find(({ number }) => number === intent.number)).toMatchObject({ trunk: wanted.name });
    expect(await provisioner().holds(intent.number)).toBe(true);
    // Delivered, so it stays.
    expect(await provisioner().cancel(intent)).toBe("bought");
    expect(await provisioner().cancel({ ...intent, reference: randomUUID() })).toBe("canceled");
    expect(holdings()).toMatchObject({ numbers: before.numbers + 1, charges: before.charges + 1 });
    await expect(provisioner().buy({ ...intent, reference: randomUUID() })).rejects.toMatchObject({
      fault: "number-gone",
    });
    // The slower one finds that it is gone when it deletes it.
    await Promise.all([provisioner().release(intent.number), provisioner().release(intent.number)]);
    await provisioner().release(intent.number);
    expect(holdings().numbers).toBe(before.numbers);
    expect(await provisioner().holds(intent.number)).toBe(false);
    await provisioner().removeTrunk(wanted.name);
  });

  testAttaching(underTest, anyNumber);

  it("refuses a number that no one sells", async () => {
    const wanted = wantTrunk();
    await provisioner().ensureTrunk(wanted, nothing);
    const ordered = { number: "+8835100000000", countryCode: "US", type: "local", reference: randomUUID() } as const;
    const intent = { ...ordered, trunk: wanted.name };
    await expect(provisioner().buy(intent)).rejects.toMatchObject({ fault: "number-gone" });
    await provisioner().removeTrunk(wanted.name);
  });

  it("reads rates by prefix, or says that its owner must enter them", async () => {
    const { rates } = await provisioner().rates({ digits: "12125550100", country: "US" });
    const byHand = module.byHand.some(({ what }) => /rate/i.test(what));
    expect([rates.length > 0, byHand]).toEqual([module.readsRates, !module.readsRates]);
    expect(rates.some(({ prefix }) => "12125550100".startsWith(prefix))).toBe(module.readsRates);
    for (const { micros, currency, incrementSeconds } of rates) {
      expect(Number.isSafeInteger(micros) && micros > 0 && incrementSeconds > 0).toBe(true);
      expect(currency).toMatch(/^[A-Z]{3}$/);
    }
  });
}

function testAttaching(
  { countries, provisioner, useElsewhere }: NumbersUnderTest,
  anyNumber: () => Promise<string>,
): void {
  it("attaches a number that the account already has, and moves one that is used elsewhere only if asked", async () => {
    const [one, other] = [wantTrunk(), wantTrunk()];
    await provisioner().ensureTrunk(one, nothing);
    await provisioner().ensureTrunk(other, nothing);
    const number = await anyNumber();
    const ordered = { number, countryCode: countries.free, type: "local", reference: randomUUID() } as const;
    const intent = { ...ordered, trunk: one.name };
    await provisioner().buy(intent);
    await provisioner().buy(intent);
    const attach = (trunk: string, moves: boolean) => provisioner().attach(number, trunk, { moves });
    const listed = async () => (await provisioner().numbers()).find((each) => each.number === number);
    expect(await attach(one.name, false)).toMatchObject({ trunk: one.name });
    await expect(attach(other.name, false)).rejects.toMatchObject({ message: expect.stringContaining(one.name) });
    expect(await listed()).toMatchObject({ trunk: one.name, use: expect.stringContaining(one.name) });
    expect(await attach(other.name, true)).toMatchObject({ number, trunk: other.name });
    expect(await listed()).toMatchObject({ trunk: other.name });
    await provisioner().removeTrunk(other.name);
    expect(await listed()).toMatchObject({ trunk: null, use: null });

    await useElsewhere(number);
    const { use } = (await listed()) ?? {};
    expect(await listed()).toMatchObject({ trunk: null, use: expect.stringMatching(/^Calls to it .*\.$/) });
    await expect(attach(one.name, false)).rejects.toMatchObject({ message: expect.stringContaining(`${use}`) });
    expect(await listed()).toMatchObject({ trunk: null, use });
    await attach(one.name, true);
    expect(await listed()).toMatchObject({ trunk: one.name });
    await provisioner().release(number);
    await provisioner().removeTrunk(one.name);
  });
}
