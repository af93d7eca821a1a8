import { sql } from "kysely";
import { beforeEach, describe, expect, test } from "vitest";
import { testApp } from "../../../testing/test-app.ts";
import {
  type Admin,
  askForAccess,
  chooseSuggestedSource,
  connectIntegration,
  giveAccess,
  newAdmin,
  readIntegration,
  syncToTheEnd,
} from "../../../testing/test-integrations.ts";

const app = testApp();
const service = "podio";
const sandbox = () => app.crm.sandboxOf(service);

let by: Admin;
let id: string;
beforeEach(async () => {
  by = await newAdmin(app);
  id = await connectIntegration(app, by, service);
  await chooseSuggestedSource(app, by, id);
  await syncToTheEnd(app, by, id);
});

const inOrganisation = <T>(
  read: (tx: Parameters<Parameters<typeof app.database.withTransaction>[1]>[0]) => Promise<T>,
) => app.database.withTransaction({ organisationId: by.organisationId }, read);
const idsOf = () =>
  inOrganisation((tx) => tx.selectFrom("leads").select(["id", "external_id"]).orderBy("position").execute());
const signInColleague = () => sandbox().signInColleague?.();

/** The external id of a lead that was erased. */
async function eraseLead(): Promise<string> {
  const [lead] = await idsOf();
  const body = { currentPassword: by.password };
  const erased = await app.ask("POST", `/v1/leads/${lead?.id ?? ""}/erase`, { token: by.token, body });
  expect(erased.statusCode).toBe(204);
  return lead?.external_id ?? "";
}

describe("a colleague who connects the same app", () => {
  test("again goes on with its leads, mapping and erasures", async () => {
    const erased = await eraseLead();
    const [before, { mapping }] = [await idsOf(), await readIntegration(app, by, id)];
    signInColleague();
    await giveAccess(app, by, id, service);
    expect(await idsOf()).toEqual(before);
    expect(await readIntegration(app, by, id)).toMatchObject({ mapping });
    sandbox().leads.rename(erased, "Renamed");
    expect(await syncToTheEnd(app, by, id)).toMatchObject({ status: "completed", created: 0 });
    expect(await idsOf()).toEqual(before);
  });

  test("anew, once the integration was removed, gets its leads and no erased one", async () => {
    await eraseLead();
    const before = await idsOf();
    await app.ask("DELETE", `/v1/integrations/${id}`, { token: by.token });
    signInColleague();
    const again = await connectIntegration(app, by, service);
    await chooseSuggestedSource(app, by, again);
    expect(await syncToTheEnd(app, by, again)).toMatchObject({ status: "completed", created: 0 });
    expect(await idsOf()).toEqual(before);
  });

  test("in a second integration can choose another source only", async () => {
    signInColleague();
    const second = await connectIntegration(app, by, service);
    const { token } = by;
    const sources: { id: string; name: string }[] = (
      await app.ask("GET", `/v1/integrations/${second}/sources`, { token })
    ).json();
    const choose = async (name: string) => {
      const source = sources.find((each) => each.name === name)?.id ?? "";
      const { suggested } = (await app.ask("GET", `/v1/integrations/${second}/sources/${source}`, { token })).json();
      const body = { source, fields: suggested };
      return app.ask("PUT", `/v1/integrations/${second}/mapping`, { token, body });
    };
    expect((await choose("Leads")).json()).toMatchObject({
      status: 409,
      detail: expect.stringContaining("This Podio source is already connected as “Harbour CRM”"),
    });
    expect((await choose("Inventory")).statusCode).toBe(200);

    // The former source of one that was disconnected.
    await app.ask("POST", `/v1/integrations/${id}/disconnect`, { token });
    expect((await choose("Leads")).statusCode).toBe(200);
    const body = await askForAccess(app, by, id, service);
    const refused = await app.ask("POST", `/v1/integrations/${service}/callback`, { token, body });
    expect(refused.json()).toMatchObject({ status: 409, type: "/api/docs#already-connected" });
  });
});

test("a person who was erased while accounts were persons stays erased", async () => {
  const [lead] = await idsOf();
  await inOrganisation(async (tx) => {
    await sql`delete from leads where id = ${lead?.id}`.execute(tx);
    await sql`
      insert into erased_crm_records (organisation_id, record_hash, former_accounts)
      values (${by.organisationId}, sha256(convert_to(
        concat_ws(' ', ${by.organisationId}::text, 'podio:user:1', ${lead?.external_id}::text), 'UTF8')),
        '{podio:user:1,podio:user:2}')`.execute(tx);
    await sql`update integrations set sync_cursor = null where id = ${id}`.execute(tx);
  });
  expect(await syncToTheEnd(app, by, id)).toMatchObject({ status: "completed", created: 0 });
});
