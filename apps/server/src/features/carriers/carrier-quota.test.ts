import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { carrierModules } from "../../adapters.ts";
import { newRep, testAppWithCalls } from "../../testing/test-calls.ts";
import { insertCarrier } from "./carriers.table.ts";

const app = testAppWithCalls(carrierModules);

test("an organisation has at most twenty carriers", async () => {
  const rep = await newRep(app);
  const { organisationId } = rep;
  const [module] = carrierModules;
  const carrier = { kind: module?.id ?? "", label: "Trunk", settings: {} };
  await app.database.withTransaction({ organisationId }, async (tx) => {
    for (let index = 0; index < 20; index += 1)
      await insertCarrier(tx, { organisationId, carrierId: randomUUID(), ...carrier });
  });
  const settings = { host: "127.0.0.1", transport: "udp", authentication: "ip" };
  const refused = await app.ask("POST", "/v1/carriers", {
    token: rep.token,
    body: { kind: "sip-trunk", label: "Another", settings },
  });
  expect(refused.json()).toMatchObject({
    status: 409,
    detail: "Your organisation has reached the limit of 20 carriers. Remove one you no longer need.",
  });
});
