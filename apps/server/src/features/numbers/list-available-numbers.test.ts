import type { CarrierModule } from "@leadline/adapter-kit/carrier";
import { carrier as sandbox } from "@leadline/carrier-sandbox/server";
import { farthestSkip } from "@leadline/contract/phone-numbers";
import { expect, test } from "vitest";
import { newRep, testAppWithCalls } from "../../testing/test-calls.ts";

/** The sandbox, with as many numbers for sale as requested. */
const endless: CarrierModule = {
  ...sandbox,
  async open() {
    const { numbers, ...calls } = await sandbox.open({});
    if (!numbers) throw new Error("the sandbox sells numbers");
    const search = async ({ limit }: { limit: number }) => {
      const [first] = await numbers.search({ countryCode: "US", query: null, limit: 1 });
      if (!first) throw new Error("the sandbox has numbers for sale in the United States");
      return Array.from({ length: limit }, (_, index) => ({ ...first, number: `+1202${5_550_000 + index}` }));
    };
    return { ...calls, numbers: { ...numbers, search } };
  },
};
const app = testAppWithCalls([endless]);

test("the search links to the next page up to the farthest offset, and no farther", async () => {
  const rep = await newRep(app);
  const linkAt = async (skip: number) => {
    const path = `/v1/phone-numbers/available?countryCode=US&skip=${skip}` as const;
    const answer = await app.ask("GET", path, { token: rep.token });
    expect(answer.statusCode).toBe(200);
    return answer.headers["link"];
  };
  expect(await linkAt(farthestSkip - 40)).toContain(`skip=${farthestSkip}`);
  expect(await linkAt(farthestSkip)).toBeUndefined();
});
