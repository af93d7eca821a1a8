import type { LeadImport } from "@leadline/contract/lead-imports";
import { expect, test } from "vitest";
import { testApp, type TestPerson } from "../../testing/test-app.ts";
import { newRep } from "../../testing/test-calls.ts";
import { markFinished } from "./lead-imports.table.ts";

const app = testApp();
const content = "First name,Last name,Email,Phone\nBob,Stone,bob@x.example,+12025550100\n";
function upload(rep: TestPerson) {
  const form = new FormData();
  form.append("file[]", new File([content], "leads.csv"));
  return app.ask("POST", "/v1/lead-imports", { token: rep.token, form });
}
const prepare = async (rep: TestPerson): Promise<LeadImport> => (await upload(rep)).json();
const read = (rep: TestPerson, { id }: LeadImport) => app.ask("GET", `/v1/lead-imports/${id}`, { token: rep.token });

test("an organisation keeps ten uploads that nobody started, the newest, and no other's go for them", async () => {
  const [rep, other] = [await newRep(app), await newRep(app)];
  const theirs = await prepare(other);
  const uploads: LeadImport[] = [];
  for (let made = 0; made < 12; made += 1) uploads.push(await prepare(rep));
  expect(await app.store.listOlderThan(Infinity)).toHaveLength(11);
  const statuses = await Promise.all(
    uploads.map(async ({ id }) => (await app.ask("GET", `/v1/lead-imports/${id}`, { token: rep.token })).statusCode),
  );
  expect(statuses).toEqual([404, 404, ...Array(10).fill(200)]);
  expect((await read(other, theirs)).json()).toMatchObject({ state: "draft" });
  const scope = { organisationId: rep.organisationId };
  await app.database.withTransaction(scope, (tx) =>
    tx
      .updateTable("lead_imports")
      .set({ state: "running" })
      .where("organisation_id", "=", rep.organisationId)
      .execute(),
  );
  const refused = await upload(rep);
  expect([refused.statusCode, refused.json().detail]).toEqual([
    422,
    "Your organisation has 10 imports under way. Upload the file once one of them is done.",
  ]);
  // Lest the other suites' server goes on with what has no mapping.
  await app.database.withTransaction(scope, (tx) => tx.deleteFrom("lead_imports").execute());
});

test("imports under way count among the ten, and leave that much less room for uploads", async () => {
  const rep = await newRep(app);
  const scope = { organisationId: rep.organisationId };
  for (let made = 0; made < 4; made += 1) await prepare(rep);
  await app.database.withTransaction(scope, (tx) => tx.updateTable("lead_imports").set({ state: "running" }).execute());
  for (let made = 0; made < 8; made += 1) await prepare(rep);
  const kept = await app.database.withTransaction(scope, (tx) =>
    tx.selectFrom("lead_imports").select("state").where("organisation_id", "=", rep.organisationId).execute(),
  );
  expect(kept.map(({ state }) => state).toSorted()).toEqual([...Array(6).fill("draft"), ...Array(4).fill("running")]);
  await app.database.withTransaction(scope, (tx) => tx.deleteFrom("lead_imports").execute());
});

test("an import is finished only while it is under way", async () => {
  const rep = await newRep(app);
  const draft = await prepare(rep);
  const { organisationId } = rep;
  await app.database.withTransaction({ organisationId }, (tx) =>
    markFinished(tx, { id: draft.id, organisationId }, "The uploaded file is gone."),
  );
  expect((await read(rep, draft)).json()).toMatchObject({ state: "draft", problem: null, finishedAt: null });
});
