import Telnyx from "telnyx";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { VendorSandbox } from "../vendor/vendor-sandbox.ts";
import { startVendorSandbox } from "./server.ts";

let sandbox: VendorSandbox;
let client: Telnyx;
beforeAll(async () => {
  sandbox = await startVendorSandbox({ file: null });
  client = new Telnyx({
    apiKey: sandbox.key["apiKey"] ?? "",
    baseURL: new URL("/v2", sandbox.address).href,
    maxRetries: 0,
  });
});
afterAll(() => sandbox.close());

test("the vendor's own client makes a connection with a profile, orders a number and reads the balance", async () => {
  const profile = await client.outboundVoiceProfiles.create({ name: "team", whitelisted_destinations: ["US"] });
  const made = await client.credentialConnections.create({
    connection_name: "team",
    user_name: "team2026",
    password: "a long password",
    outbound: { outbound_voice_profile_id: profile.data?.id ?? "" },
  });
  const connectionId = made.data?.id ?? "";
  expect(made.data).toMatchObject({ connection_name: "team", user_name: "team2026" });
  const found = await client.availablePhoneNumbers.list({ filter: { country_code: "US", limit: 3 } });
  expect(found.data).toHaveLength(3);
  const [first] = found.data ?? [];
  expect(Number(first?.cost_information?.monthly_cost)).toBeGreaterThan(0);
  const ordered = await client.numberOrders.create({
    phone_numbers: [{ phone_number: first?.phone_number ?? "" }],
    connection_id: connectionId,
  });
  expect(ordered.data?.status).toBe("pending");
  expect((await client.numberOrders.retrieve(ordered.data?.id ?? "")).data?.status).toBe("success");
  const [held] = (await client.phoneNumbers.list({ filter: { connection_id: connectionId } })).data;
  expect(held).toMatchObject({ phone_number: first?.phone_number, connection_id: connectionId });
  expect((await client.balance.retrieve()).data?.currency).toBe("USD");
});

test("refuses a wrong key and a taken user in the vendor's form", async () => {
  const stranger = new Telnyx({
    apiKey: `KEY${"0".repeat(40)}`,
    baseURL: new URL("/v2", sandbox.address).href,
    maxRetries: 0,
  });
  await expect(stranger.balance.retrieve()).rejects.toMatchObject({ status: 401 });
  const wanted = { connection_name: "other", user_name: "taken2026", password: "a long password" };
  await client.credentialConnections.create(wanted);
  await expect(client.credentialConnections.create(wanted)).rejects.toMatchObject({ status: 422 });
});
