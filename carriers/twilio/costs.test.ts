import type { Provisioner } from "@leadline/adapter-kit/provisioner";
import { serveVendor, type VendorRequest } from "@leadline/carrier-sandbox/vendor/serve-vendor";
import { expect, onTestFinished, test } from "vitest";
import { readPrices } from "./number-prices.ts";
import { provisioner } from "./server.ts";
import { settings } from "./settings.ts";

/** An account at a server of this test's own. */
async function openAt(answer: (request: VendorRequest) => object): Promise<Provisioner> {
  const api = await serveVendor((request) => ({ status: 200, body: answer(request) }));
  const sandbox = { address: api.address, sip: "", sipOverTls: { address: "", authority: "" } };
  const key = settings.parse({ accountSid: `AC${"1".repeat(32)}`, authToken: "1".repeat(32) });
  const account = await provisioner.open(key, { sandbox });
  onTestFinished(async () => {
    account.close();
    await api.close();
  });
  return account;
}

test("a prefix without a price has no rate, and the others of the country keep theirs", async () => {
  const priced = (prefix: string, current_price: unknown) => ({ destination_prefixes: [prefix], current_price });
  const terminating_prefix_prices = [
    priced("331", null),
    priced("336", "n/a"),
    priced("337", ""),
    { destination_prefixes: ["338"] },
    priced("339", 0.5),
    priced("33", "0.0210"),
  ];
  const account = await openAt(() => ({ price_unit: "usd", terminating_prefix_prices }));
  const { rates } = await account.rates({ digits: "33123456789", country: "FR" });
  expect(rates.map(({ prefix, micros, currency }) => [prefix, micros, currency])).toEqual([
    ["33", 21_000, "USD"],
    ["339", 500_000, "USD"],
  ]);
});

test("a type of number without a price isn't sold, and the others are", async () => {
  const prices = [
    { number_type: "local", current_price: "1.15" },
    { number_type: "mobile", current_price: null },
    { number_type: "toll free", current_price: "unknown" },
  ];
  const list = { price_unit: "USD", phone_number_prices: prices };
  expect(await readPrices({ read: async (_url, shape) => shape.parse(list) }, "GB")).toEqual(
    new Map([["local", 1_150_000]]),
  );
});

test("a page of calls is asked for only once the one before it was used, and gives the trunk's own calls", async () => {
  const trunk = "leadline-0b0c3b8e5a6d";
  const trunkSid = `TK${"1".repeat(32)}`;
  const pages: string[] = [];
  const root = `/2010-04-01/Accounts/AC${"1".repeat(32)}/Calls.json`;
  const callOf = (sid: string, trunk_sid: string | null) => ({
    sid,
    trunk_sid,
    from: "+12025550100",
    to: "+12025550101",
    start_time: "Mon, 05 Jan 2026 09:00:00 +0000",
    duration: "61",
    price: "-0.02600",
    price_unit: "USD",
  });
  const account = await openAt(({ path, query }) => {
    if (path === "/v1/Trunks") return { trunks: [{ sid: trunkSid, friendly_name: trunk }], meta: { key: "trunks" } };
    const page = query.get("Page") ?? "0";
    pages.push(page);
    const next_page_uri = page === "2" ? null : `${root}?Page=${Number(page) + 1}&PageToken=PACA`;
    return { calls: [callOf(`CA${page}`, trunkSid), callOf(`CB${page}`, null)], next_page_uri };
  });
  const read: string[] = [];
  for await (const { id, micros } of account.records({ trunk, since: "2026-01-05T00:00:00Z" })) {
    read.push(id);
    expect(pages.map((page) => `CA${page}`)).toEqual(read);
    expect(micros).toBe(26_000);
  }
  expect(read).toEqual(["CA0", "CA1", "CA2"]);
});
