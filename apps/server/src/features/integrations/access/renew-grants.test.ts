import { expect, test } from "vitest";
import { testApp } from "../../../testing/test-app.ts";
import { connectIntegration, newAdmin } from "../../../testing/test-integrations.ts";
import { replaceGrant, selectGrants } from "./crm-grants.table.ts";

const app = testApp();

test("access that is refreshed while it is re-encrypted keeps the refreshed tokens", async () => {
  const by = await newAdmin(app);
  const integrationId = await connectIntegration(app, by);
  const { organisationId } = by;
  const [before, ...after] = await app.database.withTransaction({ organisationId }, async (tx) => {
    const read = async () => (await selectGrants(tx)).find((grant) => grant.integrationId === integrationId)?.sealed;
    const refreshed = await read();
    const sealedAfter = async (sealed: string) => {
      await replaceGrant(tx, { organisationId, integrationId, sealed, renewed: "renewed" });
      return read();
    };
    return [refreshed, await sealedAfter("as it was read"), await sealedAfter(refreshed ?? "")];
  });
  expect(after).toEqual([before, "renewed"]);
});
