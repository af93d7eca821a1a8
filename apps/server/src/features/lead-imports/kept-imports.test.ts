import type { LeadImport } from "@leadline/contract/lead-imports";
import { expect, test } from "vitest";
import type { Tx } from "../../db/transaction.ts";
import { neededFiles } from "../../start/define-jobs.ts";
import { testApp, type TestPerson } from "../../testing/test-app.ts";
import { newRep } from "../../testing/test-calls.ts";
import { sweepFiles } from "../files/sweep-files.ts";
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

test("keeps an organisation's ten latest uploads that weren't started, and deletes no other organisation's", async () => {
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
  const stored = (await app.store.listOlderThan(Infinity)).toSorted();
  const refused = await upload(rep);
  expect([refused.statusCode, refused.json().detail]).toEqual([
    422,
    "Your organisation has 10 imports in progress. Upload the file when one of them finishes.",
  ]);
  expect((await app.store.listOlderThan(Infinity)).toSorted()).toEqual(stored);
  // Otherwise another suite's server would resume an import without a mapping.
  await app.database.withTransaction(scope, (tx) => tx.deleteFrom("lead_imports").execute());
});

test("imports in progress count towards the ten, which leaves less room for uploads", async () => {
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

test("a file that isn't imported within a day is deleted by the next sweep", async () => {
  const rep = await newRep(app);
  const [old, recent] = [await prepare(rep), await prepare(rep)];
  const scope = { organisationId: rep.organisationId };
  const fileOf = async ({ id }: LeadImport) => {
    const select = (tx: Tx) => tx.selectFrom("lead_imports").select("stored_name").where("id", "=", id);
    return (await app.database.withTransaction(scope, (tx) => select(tx).executeTakeFirstOrThrow())).stored_name;
  };
  const files = [await fileOf(old), await fileOf(recent)];
  await app.database.withTransaction(scope, (tx) =>
    tx
      .updateTable("lead_imports")
      .set({ created_at: new Date(Date.now() - 25 * 3_600_000).toISOString() })
      .where("id", "=", old.id)
      .execute(),
  );
  await sweepFiles({ database: app.database, store: app.store, needed: neededFiles }, Date.now() + 2 * 3_600_000);
  const stored = await app.store.listOlderThan(Infinity);
  expect(files.map((file) => stored.includes(file ?? ""))).toEqual([false, true]);
  expect((await read(rep, old)).statusCode).toBe(404);
});

test("an import can only be finished while it is in progress", async () => {
  const rep = await newRep(app);
  const draft = await prepare(rep);
  const { organisationId } = rep;
  await app.database.withTransaction({ organisationId }, (tx) =>
    markFinished(tx, { id: draft.id, organisationId }, "The uploaded file is gone."),
  );
  expect((await read(rep, draft)).json()).toMatchObject({ state: "draft", problem: null, finishedAt: null });
});

test("keeps an organisation's last twenty finished imports, and the failed rows of only those", async () => {
  const rep = await newRep(app);
  const scope = { organisationId: rep.organisationId };
  const finish = (imports: readonly LeadImport[]) =>
    app.database.withTransaction(scope, async (tx) => {
      await tx
        .updateTable("lead_imports")
        .set({ state: "completed", stored_name: null, finished_at: new Date().toISOString() })
        .where("organisation_id", "=", rep.organisationId)
        .execute();
      for (const { id } of imports)
        await tx
          .insertInto("lead_import_errors")
          .values({ import_id: id, organisation_id: rep.organisationId, row_number: 2, message: "Why", cells: null })
          .execute();
    });
  const all: LeadImport[] = [];
  for (let made = 0; made < 22; made += 1) {
    const prepared = await prepare(rep);
    all.push(prepared);
    await finish([prepared]);
  }
  const draft = await prepare(rep);
  const statuses = await Promise.all(all.map(async (each) => (await read(rep, each)).statusCode));
  expect(statuses).toEqual([404, 404, ...Array(20).fill(200)]);
  expect((await read(rep, draft)).statusCode).toBe(200);
  const failed = await app.database.withTransaction(scope, (tx) =>
    tx.selectFrom("lead_import_errors").select("import_id").where("organisation_id", "=", rep.organisationId).execute(),
  );
  expect(failed).toHaveLength(20);
});

test("a person can upload at most a hundred import files a day, in all organisations together", async () => {
  const rep = await newRep(app);
  for (let files = 0; files < 100; files += 2) await Promise.all([upload(rep), upload(rep)]);
  const refused = await upload(rep);
  expect([refused.statusCode, refused.json().detail]).toEqual([
    429,
    "You can upload 100 import files a day. Try again in 24 hours.",
  ]);
});
