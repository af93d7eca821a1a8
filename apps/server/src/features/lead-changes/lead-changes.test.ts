import type { LeadChange } from "@leadline/contract/lead-changes";
import type { Lead } from "@leadline/contract/leads";
import { sql } from "kysely";
import { describe, expect, test, vi } from "vitest";
import type { Database } from "../../db/database.ts";
import type { Tx } from "../../db/transaction.ts";
import { createLog } from "../../log.ts";
import { joinOrganisation, makeOrganisation, registerPerson, testApp } from "../../testing/test-app.ts";
import { upsertLeads } from "../leads/sync/upsert-leads.ts";
import { changeBatch, changeLeadsJob } from "./change-leads-job.ts";
import { insertChange, setProgress } from "./lead-changes.table.ts";
import { purgeRemovedJob } from "./purge-removed.ts";

const app = testApp();

async function newRep() {
  const person = await registerPerson(app);
  const { id: organisationId } = await makeOrganisation(app, person);
  return { ...person, organisationId };
}
type Rep = Awaited<ReturnType<typeof newRep>>;

async function addLeads(rep: Rep, lastNames: readonly string[]): Promise<Lead[]> {
  const leads: Lead[] = [];
  for (const [index, lastName] of lastNames.entries()) {
    const body = { firstName: "Bob", lastName, email: "bob@stone.example", phone: `+1202555010${index}` };
    leads.push((await app.ask("POST", "/v1/leads", { token: rep.token, body })).json());
  }
  return leads;
}
const list = async (rep: Rep, query = "sort=oldest"): Promise<Lead[]> =>
  (await app.ask("GET", `/v1/leads?${query}`, { token: rep.token })).json();
const lastNames = async (rep: Rep, query?: string) => (await list(rep, query)).map(({ lastName }) => lastName);
const ask = (rep: Rep, body: object) => app.ask("POST", "/v1/lead-changes", { token: rep.token, body });
const undo = (rep: Rep, id: string) => app.ask("POST", `/v1/lead-changes/${id}/undo`, { token: rep.token });
const open = async (rep: Rep): Promise<LeadChange[]> =>
  (await app.ask("GET", "/v1/lead-changes", { token: rep.token })).json();
const idsOf = (leads: readonly Lead[]) => leads.map(({ id }) => id);
const untilDone = (rep: Rep) =>
  vi.waitFor(async () => expect((await open(rep)).filter(({ state }) => state === "running")).toEqual([]));

describe("leads that are named", () => {
  test("set an owner, a status or a do-not-call mark at once, on the chosen leads only", async () => {
    const [rep, stranger] = [await newRep(), await newRep()];
    const [ann, bob, cy] = await addLeads(rep, ["Ann", "Bob", "Cy"]);
    const [theirs] = await addLeads(stranger, ["Dan"]);
    const ids = idsOf([ann, bob, theirs].filter((lead) => lead !== undefined));
    expect((await ask(rep, { ids, action: { kind: "owner", ownerId: rep.id } })).json()).toMatchObject({
      state: "done",
      changed: 2,
      undoUntil: null,
    });
    expect((await ask(rep, { ids, action: { kind: "status", status: "Working" } })).json().changed).toBe(2);
    expect((await ask(rep, { ids, action: { kind: "do-not-call" } })).json().changed).toBe(2);
    const changed = { owner: { userId: rep.id }, status: "Working", doNotCall: true };
    const untouched = { owner: null, status: "New", doNotCall: false };
    expect(await list(rep)).toMatchObject([changed, changed, { ...untouched, id: cy?.id }]);
    expect(await list(stranger)).toMatchObject([untouched]);
    const refused = await ask(rep, { ids, action: { kind: "owner", ownerId: stranger.id } });
    expect(refused.json().errors).toEqual([{ field: "ownerId", message: "Choose a member of your organisation." }]);
    expect((await ask(rep, { action: { kind: "delete" } })).statusCode).toBe(422);
  });

  test("delete leads for everyone, and undo restores them with notes and follow-ups", async () => {
    const rep = await newRep();
    const leads = await addLeads(rep, ["Ann", "Bob"]);
    const [ann] = leads;
    await app.ask("POST", `/v1/leads/${ann?.id}/notes`, { token: rep.token, body: { text: "Asked for a quote." } });
    await app.ask("PUT", `/v1/leads/${ann?.id}`, { token: rep.token, body: { followUpOn: "2126-02-01" } });
    const before = await list(rep);
    const { id } = (await ask(rep, { ids: idsOf(leads), action: { kind: "delete" } })).json();
    expect(await list(rep)).toEqual([]);
    expect((await app.ask("GET", `/v1/leads/${ann?.id}`, { token: rep.token })).statusCode).toBe(404);
    expect((await app.ask("GET", "/v1/follow-ups", { token: rep.token })).json()).toEqual([]);
    expect((await app.ask("GET", "/v1/leads?search=bob", { token: rep.token })).json()).toEqual([]);
    // As seen by another tab or a reloaded page.
    expect(await open(rep)).toMatchObject([{ id, kind: "delete", state: "done", changed: 2 }]);
    expect((await undo(rep, id)).json()).toMatchObject({ state: "undone" });
    expect((await undo(rep, id)).statusCode).toBe(200);
    expect(await list(rep)).toEqual(before);
    const notes = await app.ask("GET", `/v1/leads/${ann?.id}/notes`, { token: rep.token });
    expect(notes.json()).toMatchObject([{ text: "Asked for a quote." }]);
    expect(await open(rep)).toEqual([]);
  });

  test("can only be undone by the person who deleted, and not once the leads are gone for good", async () => {
    const rep = await newRep();
    const mate = await registerPerson(app);
    await joinOrganisation(app, mate, { organisationId: rep.organisationId, role: "member" });
    const { id } = (await ask(rep, { ids: idsOf(await addLeads(rep, ["Ann"])), action: { kind: "delete" } })).json();
    expect((await undo({ ...rep, token: mate.token }, id)).statusCode).toBe(404);
    await app.database.withTransaction({ organisationId: rep.organisationId }, (tx) =>
      tx.updateTable("lead_changes").set({ undo_until: "2026-01-01T00:00:00Z" }).where("id", "=", id).execute(),
    );
    expect((await undo(rep, id)).json()).toMatchObject({ title: "Too late" });
    await purgeRemovedJob(app.database).run({}, { enqueue: async () => {} });
    expect((await undo(rep, id)).statusCode).toBe(404);
    const left = await app.database.withTransaction({ organisationId: rep.organisationId }, async (tx) => {
      await sql`select set_config('app.sees_removed_leads', 'on', true)`.execute(tx);
      return tx.selectFrom("leads").select("id").where("organisation_id", "=", rep.organisationId).execute();
    });
    expect(left).toEqual([]);
  });

  test("that still exist in a CRM are not imported again by a sync before the deletion is final", async () => {
    const rep = await newRep();
    const key = { organisationId: rep.organisationId, integrationId: crypto.randomUUID() };
    const sync = (lastName: string) => {
      const bob = { externalId: "1", firstName: "Bob", lastName, email: "", phone: "" };
      return app.database.withTransaction(key, (tx) =>
        upsertLeads(tx, { ...key, leads: [bob], asOf: new Date().toISOString() }),
      );
    };
    await sync("Stone");
    const { id } = (await ask(rep, { ids: idsOf(await list(rep)), action: { kind: "delete" } })).json();
    expect(await sync("Rock")).toEqual({ created: 0, updated: 1 });
    expect(await list(rep)).toEqual([]);
    await undo(rep, id);
    expect(await lastNames(rep)).toEqual(["Rock"]);
  });
});

describe("leads that match", () => {
  test("are changed by a job, even if the change affects the filter", async () => {
    const rep = await newRep();
    const leads = await addLeads(rep, ["Ann", "Bob", "Cy", "Dan"]);
    await ask(rep, { ids: [leads[1]?.id], action: { kind: "status", status: "Qualified" } });
    const matching = { status: "New" };
    expect((await ask(rep, { matching, action: { kind: "status", status: "Working" } })).json()).toMatchObject({
      state: "running",
      total: 3,
    });
    await untilDone(rep);
    expect((await list(rep)).map(({ status }) => status)).toEqual(["Working", "Qualified", "Working", "Working"]);
    const found = await ask(rep, {
      matching: { search: "dan", owner: "none" },
      action: { kind: "owner", ownerId: rep.id },
    });
    expect(found.json().total).toBeNull();
    await untilDone(rep);
    expect(await lastNames(rep, "owner=me")).toEqual(["Dan"]);
  });

  test("change each lead once, batch by batch, wherever a process stops, and are undone in the same way", async () => {
    const rep = await newRep();
    await addLeads(rep, ["Ann", "Bob", "Cy", "Dan", "Eve"]);
    const key = { id: crypto.randomUUID(), organisationId: rep.organisationId };
    await app.database.withTransaction({ organisationId: rep.organisationId }, (tx) =>
      insertChange(tx, { ...key, userId: rep.id, action: { kind: "delete" }, matching: {}, total: 5 }),
    );
    expect(await changeBatch(app.database, key, 2)).toBe(true);
    expect(await lastNames(rep)).toEqual(["Ann", "Bob", "Cy"]);
    await Promise.all([changeBatch(app.database, key, 2), changeBatch(app.database, key, 2)]);
    expect(await lastNames(rep)).toEqual([]);
    expect(await open(rep)).toMatchObject([{ state: "done", changed: 5 }]);
    expect(await changeBatch(app.database, key, 2)).toBe(false);
    await app.database.withTransaction({ organisationId: rep.organisationId }, (tx) =>
      setProgress(tx, key, { state: "undoing", changed: 5 }),
    );
    while (await changeBatch(app.database, key, 2));
    expect(await lastNames(rep)).toEqual(["Ann", "Bob", "Cy", "Dan", "Eve"]);
  });

  test("can be restored again after restoring them failed for hours", async () => {
    const rep = await newRep();
    await addLeads(rep, ["Ann", "Bob"]);
    const key = { id: crypto.randomUUID(), organisationId: rep.organisationId };
    const inScope = <T>(work: (tx: Tx) => Promise<T>) =>
      app.database.withTransaction({ organisationId: rep.organisationId }, work);
    await inScope((tx) =>
      insertChange(tx, { ...key, userId: rep.id, action: { kind: "delete" }, matching: {}, total: 2 }),
    );
    await changeBatch(app.database, key);
    await inScope((tx) => setProgress(tx, key, { state: "undoing", changed: 2, failures: 8 }));
    // Every read of a batch fails until then.
    const failing = { ...app.database, withTransaction: failingBatches(app.database) };
    const job = changeLeadsJob(failing, createLog("fatal"));
    await expect(job.run(key, { enqueue: async () => {} })).rejects.toThrow("the disk is full");
    expect(await open(rep)).toMatchObject([{ state: "undoing" }]);
    await job.run(key, { enqueue: async () => {} });
    const [failed] = await open(rep);
    expect(failed).toMatchObject({ state: "failed", changed: 2 });
    expect(Date.parse(failed?.undoUntil ?? "")).toBeGreaterThan(Date.now());
    expect((await undo(rep, key.id)).json()).toMatchObject({ state: "undone" });
    expect(await lastNames(rep)).toEqual(["Ann", "Bob"]);
  });
});

/** Makes every other transaction fail: the batch's, but not the one that records the failure. */
function failingBatches({ withTransaction }: Database): Database["withTransaction"] {
  let count = 0;
  return (scope, work) => {
    count += 1;
    if (count % 2 === 1) return Promise.reject(new Error("the disk is full"));
    return withTransaction(scope, work);
  };
}
