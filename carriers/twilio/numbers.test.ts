import { serveVendor } from "@leadline/carrier-sandbox/vendor/serve-vendor";
import { expect, onTestFinished, test } from "vitest";
import { provisioner } from "./server.ts";
import { settings } from "./settings.ts";

test("takes the type of a number from the list that has it, whatever its digits suggest", async () => {
  const api = await serveVendor(({ path }) => ({
    status: 200,
    body: { available_phone_numbers: path.endsWith("/Mobile.json") ? [{ phone_number: "+12025550123" }] : [] },
  }));
  onTestFinished(() => api.close());
  const sandbox = { address: api.address, sip: "", sipOverTls: { address: "", authority: "" } };
  const key = settings.parse({ accountSid: `AC${"1".repeat(32)}`, authToken: "1".repeat(32) });
  const account = await provisioner.open(key, { sandbox });
  onTestFinished(() => account.close());
  expect(await account.typeOf("+12025550123", "US")).toBe("mobile");
  expect(await account.typeOf("+12025550124", "US")).toBeNull();
});
