import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import {
  joinOrganisation,
  makeOrganisation,
  registerPerson,
  testApp,
  type TestPerson,
} from "../../../testing/test-app.ts";
import { ownerPool } from "../../../testing/test-database.ts";
import {
  addIntegration,
  askForAccess,
  connectIntegration,
  newAdmin,
  readIntegration,
  syncToTheEnd,
} from "../../../testing/test-integrations.ts";
import { readGrant } from "../access/crm-access.ts";

const app = testApp();
const owner = ownerPool();

const finish = (by: TestPerson, body: { code: string; integrationId: string }) =>
  app.ask("POST", "/v1/integrations/salesforce/callback", { token: by.token, body });
const refused = { status: 409, type: "/api/docs#authorisation-refused" };

/** As the database's owner, whom row-level security restricts too, in the system scope. */
async function lookUnder(table: string, integrationId?: string): Promise<string> {
  const client = await owner.connect();
  try {
    await client.query("begin");
    await client.query("select set_config('app.scope', 'system', true)");
    const { rows } = await client.query(`select * from ${table}`);
    return JSON.stringify(rows.filter((row) => integrationId === undefined || row.integration_id === integrationId));
  } finally {
    await client.query("rollback");
    client.release();
  }
}

describe("connecting", () => {
  test("sends the browser to the CRM with state, S256 challenge and the least scope, and activates the integration", async () => {
    const by = await newAdmin(app);
    const id = await addIntegration(app, by);
    const { url } = (
      await app.ask("POST", `/v1/integrations/salesforce/login/${id}`, {
        token: by.token,
        headers: { host: "phone.example.com" },
      })
    ).json();
    const target = new URL(url);
    const query = Object.fromEntries(target.searchParams);
    expect(target.origin + target.pathname).toBe("http://phone.example.com/sandbox-crm/services/oauth2/authorize");
    expect(query).toMatchObject({
      response_type: "code",
      redirect_uri: "http://phone.example.com/integrations/salesforce/callback",
      scope: "api refresh_token",
      code_challenge_method: "S256",
      state: expect.stringMatching(new RegExp(`^${id}\\.[\\w-]{43}$`)),
    });
    const answer = await finish(by, await askForAccess(app, by, id));
    expect(answer.json()).toMatchObject({ id, status: "active", problem: null });
  });

  test("returns the same for the same response again, after a reload, as long as it stays connected", async () => {
    const by = await newAdmin(app);
    const id = await addIntegration(app, by);
    const body = await askForAccess(app, by, id);
    const first = await finish(by, body);
    const grants = await lookUnder("crm_grants", id);
    const again = await finish(by, body);
    expect([again.statusCode, again.json()]).toEqual([200, first.json()]);
    expect(await lookUnder("crm_grants", id)).toBe(grants);
    const colleague = await registerPerson(app);
    await joinOrganisation(app, colleague, { organisationId: by.organisationId, role: "admin" });
    expect((await finish(colleague, body)).json()).toMatchObject(refused);
    await app.database.withTransaction({ organisationId: by.organisationId }, (tx) =>
      tx.updateTable("integrations").set({ status: "inactive" }).where("id", "=", id).execute(),
    );
    expect((await finish(by, body)).json()).toMatchObject(refused);
  });

  test("keeps tokens and verifiers encrypted, and returns them to nobody", async () => {
    const by = await newAdmin(app);
    const id = await connectIntegration(app, by);
    const { grant } = await readGrant(app.crm.openDeps(), {
      ...(await readIntegration(app, by, id)),
      organisationId: by.organisationId,
      workspace: app.crm.sandbox.domain,
      accountId: null,
      mapping: null,
    });
    const stored =
      (await lookUnder("crm_grants")) + (await lookUnder("crm_logins")) + (await lookUnder("integrations"));
    expect(stored).toContain(id);
    for (const secret of [grant.accessToken, grant.refreshToken ?? "missing"]) {
      expect(secret.length).toBeGreaterThan(20);
      expect(stored).not.toContain(secret);
      expect(stored).not.toContain(secret.slice(12));
    }
    const told = await app.ask("GET", "/v1/integrations", { token: by.token });
    expect(told.body).not.toMatch(/token|sealed|instance/i);
  });
});

describe("the callback refuses", () => {
  test("a state that was already used", async () => {
    const by = await newAdmin(app);
    const id = await addIntegration(app, by);
    const body = await askForAccess(app, by, id);
    expect((await finish(by, body)).statusCode).toBe(200);
    const used = { ...body, code: "another" };
    expect((await finish(by, used)).json()).toMatchObject(refused);
    const other = await askForAccess(app, by, id);
    expect((await finish(by, { code: other.code, integrationId: body.integrationId })).json()).toMatchObject(refused);
  });

  test("a state of the right integration with made-up proof, or with none", async () => {
    const by = await newAdmin(app);
    const id = await addIntegration(app, by);
    const { code } = await askForAccess(app, by, id);
    for (const state of [id, `${id}.`, `${id}.${randomBytes(32).toString("base64url")}`, "nonsense", `${id}.x.y`])
      expect((await finish(by, { code, integrationId: state })).json()).toMatchObject(refused);
    expect(await readIntegration(app, by, id)).toMatchObject({ status: "inactive" });
  });

  test("a person who didn't start it: a colleague, a stranger, or the same person in another organisation", async () => {
    const by = await newAdmin(app);
    const id = await addIntegration(app, by);
    const body = await askForAccess(app, by, id);
    const colleague = await registerPerson(app);
    await joinOrganisation(app, colleague, { organisationId: by.organisationId, role: "admin" });
    expect((await finish(colleague, body)).json()).toMatchObject(refused);
    expect((await finish(await newAdmin(app), body)).json()).toMatchObject(refused);
    await makeOrganisation(app, by);
    expect((await finish(by, body)).json()).toMatchObject(refused);
    // None of them used up the state.
    await app.ask("PUT", `/v1/users/set-organisation/${by.organisationId}`, { token: by.token });
    expect((await finish(by, body)).statusCode).toBe(200);
  });

  test("another integration's code, because the verifier doesn't match", async () => {
    const by = await newAdmin(app);
    const [one, two] = [await addIntegration(app, by), await addIntegration(app, by)];
    const [first, second] = [await askForAccess(app, by, one), await askForAccess(app, by, two)];
    expect((await finish(by, { code: second.code, integrationId: first.integrationId })).json()).toMatchObject(refused);
    expect(await readIntegration(app, by, one)).toMatchObject({ status: "inactive" });
  });

  test("an account that another integration has, with an explanation; its grant is revoked, and the other integration keeps working", async () => {
    const by = await newAdmin(app);
    const first = await connectIntegration(app, by);
    const second = await addIntegration(app, by);
    app.crm.sandbox.faults.add({ path: /revoke/, delayMs: 1 });
    const answers = { status: 409, type: "/api/docs#already-connected", title: "Account already connected" };
    const refusal = await finish(by, await askForAccess(app, by, second));
    expect(refusal.json()).toMatchObject({ ...answers, detail: expect.stringContaining("as “Harbour CRM”") });
    expect(await readIntegration(app, by, second)).toMatchObject({ status: "inactive" });
    // The request to revoke the access used up this fault.
    expect(app.crm.sandbox.faults.take("/services/oauth2/revoke")).toBeNull();
    expect(await syncToTheEnd(app, by, first)).toMatchObject({ status: "completed" });
    // The same integration may connect again, and the second one once the first is removed.
    expect((await finish(by, await askForAccess(app, by, first))).statusCode).toBe(200);
    await app.ask("DELETE", `/v1/integrations/${first}`, { token: by.token });
    expect((await finish(by, await askForAccess(app, by, second))).statusCode).toBe(200);
    await connectIntegration(app, await newAdmin(app));
  });

  test("one of two integrations that connect the same account at once", async () => {
    const by = await newAdmin(app);
    const ids = [await addIntegration(app, by), await addIntegration(app, by)];
    const asked = await Promise.all(ids.map((id) => askForAccess(app, by, id)));
    const answers = await Promise.all(asked.map((body) => finish(by, body)));
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409]);
  });

  test("a state that is older than ten minutes", async () => {
    const by = await newAdmin(app);
    const id = await addIntegration(app, by);
    const body = await askForAccess(app, by, id);
    await app.database.withTransaction({ organisationId: by.organisationId }, (tx) =>
      tx
        .updateTable("crm_logins")
        .set({ expires_at: new Date(Date.now() - 1_000).toISOString() })
        .execute(),
    );
    expect((await finish(by, body)).json()).toMatchObject(refused);
  });

  test("an unknown code, which is distinguished from a CRM that is down", async () => {
    const by = await newAdmin(app);
    const id = await addIntegration(app, by);
    const { integrationId } = await askForAccess(app, by, id);
    expect((await finish(by, { code: "aPrx-made-up", integrationId })).json()).toMatchObject(refused);
    const again = await askForAccess(app, by, id);
    app.crm.sandbox.faults.add({ path: /oauth2\/token/, status: 503 });
    expect((await finish(by, again)).json()).toMatchObject({ status: 502, type: "/api/docs#crm-unreachable" });
  });

  test("reconnecting a connected integration that failed isn't a success when its response is sent again", async () => {
    const by = await newAdmin(app);
    const id = await connectIntegration(app, by);
    const body = await askForAccess(app, by, id);
    app.crm.sandbox.faults.add({ path: /oauth2\/token/, status: 503 });
    expect((await finish(by, body)).json()).toMatchObject({ status: 502 });
    expect(await readIntegration(app, by, id)).toMatchObject({ status: "active" });
    expect((await finish(by, body)).json()).toMatchObject(refused);
  });
});
