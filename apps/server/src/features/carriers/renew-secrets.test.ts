import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { newRep, testAppWithCalls } from "../../testing/test-calls.ts";
import { insertCarrier, putSecrets, replaceSecrets, selectCarriers } from "./carriers.table.ts";

const app = testAppWithCalls();

test("secrets that are changed while they are re-encrypted keep the change", async () => {
  const { organisationId } = await newRep(app);
  const carrierId = randomUUID();
  const key = { organisationId, carrierId };
  const sealed = await app.database.withTransaction({ organisationId }, async (tx) => {
    const carrier = { kind: "sip-trunk", label: "Trunk", settings: {} };
    await insertCarrier(tx, { ...key, ...carrier });
    await putSecrets(tx, key, "changed meanwhile");
    const sealedAfter = async (read: string) => {
      await replaceSecrets(tx, { id: carrierId, sealed: read, renewed: "renewed" });
      return (await selectCarriers(tx, key))[0]?.sealed;
    };
    return [await sealedAfter("as it was read"), await sealedAfter("changed meanwhile")];
  });
  expect(sealed).toEqual(["changed meanwhile", "renewed"]);
});
