import type { Fault } from "@leadline/crm-sandbox/faults";
import { beforeEach, describe, expect, test } from "vitest";
import { leadsAtCrms } from "../../../testing/leads-at-crms.ts";
import { testApp } from "../../../testing/test-app.ts";
import { crmIds } from "../../../testing/test-crm.ts";
import { deleteLeadsByExternalId } from "../../leads/sync/upsert-leads.ts";
import { type Admin, giveAccess, readIntegration, syncToTheEnd } from "../../../testing/test-integrations.ts";

const app = testApp();
const hands = leadsAtCrms(app);
const { edit, leadOf, writingOf, writeAll, makeDue, recordOf, timelineOf } = hands;

/** Set to each CRM in turn. */
let service: string;
const sandbox = () => app.crm.sandboxOf(service);
const failNext = (fault: Omit<Fault, "path">): void => sandbox().faults.add({ ...fault, path: sandbox().leadPath });

let admin: Admin;
let integrationId: string;
/** Which of the sandbox's leads a test uses: each its own. */
let next = 20;
let leadId: string;
let externalId: string;

describe.each(crmIds)("at %s,", (name) => {
  beforeEach(async () => {
    service = name;
    sandbox().faults.clear();
    ({ by: admin, integrationId } = await hands.connect(service, { sends: true }));
    do {
      const { id, record } = await hands.leadAt(admin, service, (next += 1));
      [leadId, externalId] = [id, record.id];
      // A converted lead can't be changed in every CRM.
    } while ((await leadOf(admin, leadId)).status === "Qualified");
  });

  describe("an edit in Leadline", () => {
    test("is written to the CRM, and the next sync changes nothing", async () => {
      const before = recordOf(service, externalId);
      await edit(admin, leadId, { company: "Granite", jobTitle: "Sculptor" });
      expect(await writingOf(admin, leadId)).toMatchObject({ state: "waiting", service, problem: null });
      await writeAll(admin);
      expect(recordOf(service, externalId)).toEqual({ ...before, company: "Granite", jobTitle: "Sculptor" });
      expect(await writingOf(admin, leadId)).toEqual({
        state: "written",
        service,
        creates: false,
        problem: null,
        conflicts: [],
      });
      expect(await syncToTheEnd(app, admin, integrationId)).toMatchObject({ created: 0, updated: 0 });
      // Nothing is kept apart from the CRM any longer.
      sandbox().leads.change(externalId, { company: "Slate" });
      await syncToTheEnd(app, admin, integrationId);
      expect(await leadOf(admin, leadId)).toMatchObject({ company: "Slate", jobTitle: "Sculptor" });
    });

    test("of the status is written as the CRM's own value", async () => {
      sandbox().leads.change(externalId, { jobTitle: "Mason" });
      const status = (await leadOf(admin, leadId)).status === "Working" ? "Unqualified" : "Working";
      const before = recordOf(service, externalId)?.status;
      await edit(admin, leadId, { status });
      await writeAll(admin);
      expect(recordOf(service, externalId)?.status).not.toBe(before);
      expect(await writingOf(admin, leadId)).toMatchObject({ state: "written" });
      await syncToTheEnd(app, admin, integrationId);
      expect(await leadOf(admin, leadId)).toMatchObject({ status, jobTitle: "Mason" });
    });

    test("of the status loses against another status in the CRM meanwhile", async () => {
      const before = (await leadOf(admin, leadId)).status;
      const statuses = sandbox()
        .leads.list()
        .map(({ status }) => status);
      const there = statuses.find(
        (each) => each !== recordOf(service, externalId)?.status && !/won|converted/i.test(each),
      );
      await edit(admin, leadId, { status: before === "Nurturing" ? "New" : "Nurturing", jobTitle: "Mason" });
      sandbox().leads.change(externalId, { status: there ?? "" });
      await writeAll(admin);
      expect(recordOf(service, externalId)).toMatchObject({ status: there, jobTitle: "Mason" });
      expect(await writingOf(admin, leadId)).toMatchObject({ conflicts: ["status"] });
      expect((await leadOf(admin, leadId)).status).not.toBe("Nurturing");
    });

    test("loses against a change of the same field in the CRM, and is in the timeline; other fields are written", async () => {
      await edit(admin, leadId, { company: "Granite", jobTitle: "Sculptor" });
      sandbox().leads.change(externalId, { company: "Slate" });
      await writeAll(admin);
      expect(recordOf(service, externalId)).toMatchObject({ company: "Slate", jobTitle: "Sculptor" });
      expect(await leadOf(admin, leadId)).toMatchObject({ company: "Slate", jobTitle: "Sculptor" });
      expect(await writingOf(admin, leadId)).toMatchObject({ state: "written", conflicts: ["company"] });
      const [latest] = await timelineOf(admin, leadId);
      expect(latest).toMatchObject({
        userName: null,
        fields: [{ field: "company", before: "Granite", after: "Slate" }],
      });
    });

    test("loses against a change that is made in the CRM between reading the record and writing it", async () => {
      await edit(admin, leadId, { company: "Granite", jobTitle: "Sculptor" });
      failNext({ carriedOut: () => sandbox().leads.change(externalId, { company: "Slate" }) });
      await writeAll(admin);
      expect(recordOf(service, externalId)).toMatchObject({ company: "Slate", jobTitle: "Sculptor" });
      expect(await leadOf(admin, leadId)).toMatchObject({ company: "Slate", jobTitle: "Sculptor" });
      expect(await writingOf(admin, leadId)).toMatchObject({ state: "written", conflicts: ["company"] });
    });

    test("loses against such a change even if the attempt ends right after it has written", async () => {
      const { company } = await leadOf(admin, leadId);
      await edit(admin, leadId, { company: "Granite", jobTitle: "Sculptor" });
      failNext({ carriedOut: () => sandbox().leads.change(externalId, { company: "Slate" }) });
      failNext({ status: 500, after: 1 });
      await writeAll(admin);
      expect(company).not.toBe("Slate");
      expect(await writingOf(admin, leadId)).toMatchObject({ state: "waiting" });
      await makeDue(admin);
      await writeAll(admin);
      expect(recordOf(service, externalId)).toMatchObject({ company: "Slate", jobTitle: "Sculptor" });
      expect(await leadOf(admin, leadId)).toMatchObject({ company: "Slate", jobTitle: "Sculptor" });
      expect(await writingOf(admin, leadId)).toMatchObject({ state: "written", conflicts: ["company"] });
    });

    test("of a first name keeps a last name that was changed in the CRM meanwhile", async () => {
      await edit(admin, leadId, { firstName: "Zoe" });
      sandbox().leads.change(externalId, { lastName: "Quarry" });
      await writeAll(admin);
      expect(recordOf(service, externalId)).toMatchObject({ firstName: "Zoe", lastName: "Quarry" });
      expect(await leadOf(admin, leadId)).toMatchObject({ firstName: "Zoe", lastName: "Quarry" });
    });

    test("made while another is being written is written too", async () => {
      await edit(admin, leadId, { company: "Granite" });
      failNext({ delayMs: 300, after: 1 });
      const writing = writeAll(admin);
      await expect.poll(async () => (await hands.triesOf(admin, leadId)) === 1).toBe(true);
      await edit(admin, leadId, { company: "Marble" });
      await writing;
      await writeAll(admin);
      expect(recordOf(service, externalId)?.company).toBe("Marble");
      expect(await leadOf(admin, leadId)).toMatchObject({ company: "Marble" });
    });

    test("isn't recorded as written if another account was connected meanwhile", async () => {
      await edit(admin, leadId, { company: "Granite" });
      failNext({ delayMs: 300, after: 1 });
      const writing = writeAll(admin);
      await expect.poll(async () => (await hands.triesOf(admin, leadId)) === 1).toBe(true);
      await app.database.withTransaction({ organisationId: admin.organisationId }, (tx) =>
        tx.updateTable("integrations").set({ account_id: "another" }).where("id", "=", integrationId).execute(),
      );
      await writing;
      expect(await writingOf(admin, leadId)).toMatchObject({ state: "waiting", problem: expect.any(String) });
    });

    test("isn't written if sending is off, until it is switched on", async () => {
      await hands.send(admin, integrationId, false);
      await edit(admin, leadId, { company: "Granite" });
      await writeAll(admin);
      expect(recordOf(service, externalId)?.company).not.toBe("Granite");
      expect(await writingOf(admin, leadId)).toBeNull();
      await hands.send(admin, integrationId, true);
      await writeAll(admin);
      expect(recordOf(service, externalId)?.company).toBe("Granite");
    });

    test("that still waits when sending is switched off stays in Leadline", async () => {
      await edit(admin, leadId, { company: "Granite" });
      await hands.send(admin, integrationId, false);
      await writeAll(admin);
      expect(recordOf(service, externalId)?.company).not.toBe("Granite");
      await syncToTheEnd(app, admin, integrationId);
      expect(await leadOf(admin, leadId)).toMatchObject({ company: "Granite" });
    });

    test("that the CRM refuses is kept, says why, and is written once it is corrected", async () => {
      const { email } = await leadOf(admin, leadId);
      await edit(admin, leadId, { email: "nonsense" });
      await writeAll(admin);
      const refused = { state: "failed", problem: expect.stringMatching(/didn’t accept it: .*email/i) };
      expect(await writingOf(admin, leadId)).toMatchObject(refused);
      expect(await leadOf(admin, leadId)).toMatchObject({ email: "nonsense" });
      expect((await hands.retry(admin, leadId)).json()).toMatchObject({ state: "waiting" });
      const [entry] = (await app.ask("GET", "/v1/audit-log", { token: admin.token })).json().entries;
      expect(entry).toMatchObject({
        action: "lead.write-retried",
        userId: admin.id,
        changes: [{ kind: "lead_writes", subjectId: leadId, before: { state: "failed" }, after: { state: "waiting" } }],
      });
      await writeAll(admin);
      expect(await writingOf(admin, leadId)).toMatchObject(refused);
      await edit(admin, leadId, { email: `new-${email || "bob@stone.example"}` });
      await writeAll(admin);
      expect(await writingOf(admin, leadId)).toMatchObject({ state: "written", problem: null });
      expect(recordOf(service, externalId)?.email).toBe(`new-${email || "bob@stone.example"}`);
      expect((await hands.retry(admin, leadId)).statusCode).toBe(404);
    });

    test.each([
      ["written", "Granite", "bob@granite.example"],
      ["refused", "Granite", "nonsense"],
    ])("that was %s says nothing of the CRM once the lead has left it", async (_, company, email) => {
      const note = { id: crypto.randomUUID(), text: "Asks for a quote" };
      await app.ask("POST", `/v1/leads/${leadId}/notes`, { token: admin.token, body: note });
      await edit(admin, leadId, { company, email });
      await writeAll(admin);
      expect(await writingOf(admin, leadId)).not.toBeNull();
      const key = { organisationId: admin.organisationId, integrationId };
      await app.database.withTransaction({ organisationId: admin.organisationId }, (tx) =>
        deleteLeadsByExternalId(tx, { ...key, externalIds: [externalId], asOf: null }),
      );
      expect(await leadOf(admin, leadId)).toMatchObject({ integrationId: null, company });
      expect(await writingOf(admin, leadId)).toBeNull();
      expect((await hands.retry(admin, leadId)).statusCode).toBe(404);
    });

    test("of a record that the CRM no longer shows is kept, says why, and is written once the record is back", async () => {
      await edit(admin, leadId, { company: "Granite" });
      const deps = hands.openDeps();
      const find: typeof deps.crms.find = (id) => {
        const found = deps.crms.find(id);
        const readSome = async (_: unknown, deleted: readonly string[]) => {
          return { leads: [], leftOut: [], deleted: [...deleted] };
        };
        return found && { ...found, crm: { ...found.crm, readSome } };
      };
      await writeAll(admin, { ...deps, crms: { ...deps.crms, find } });
      expect(await writingOf(admin, leadId)).toMatchObject({
        state: "failed",
        problem: expect.stringMatching(/was deleted, merged or hidden in .*\. Your change is kept in Leadline\./),
      });
      expect(await leadOf(admin, leadId)).toMatchObject({ company: "Granite" });
      await hands.retry(admin, leadId);
      await writeAll(admin);
      expect(recordOf(service, externalId)?.company).toBe("Granite");
      expect(await writingOf(admin, leadId)).toMatchObject({ state: "written", problem: null });
    });

    test("of a record that was deleted in the CRM says so until a sync applies that", async () => {
      await edit(admin, leadId, { company: "Granite" });
      sandbox().leads.remove(externalId);
      await writeAll(admin);
      expect(await writingOf(admin, leadId)).toMatchObject({ state: "failed" });
    });
  });

  describe("trouble at the CRM", () => {
    test.each([
      ["a limit", { status: 429, headers: { "retry-after": "7" } }],
      ["an error of its own", { status: 500 }],
      ["a lost answer to the write", { loseAnswer: true, after: 1 }],
    ])("%s makes the change wait, and it is written later", async (_, fault) => {
      await edit(admin, leadId, { company: "Granite" });
      failNext(fault);
      await writeAll(admin);
      expect(await writingOf(admin, leadId)).toMatchObject({ state: "waiting", problem: expect.any(String) });
      await makeDue(admin);
      await writeAll(admin);
      expect(recordOf(service, externalId)?.company).toBe("Granite");
      expect(await writingOf(admin, leadId)).toMatchObject({ state: "written", problem: null });
    });

    test("revoked access asks to be reconnected and keeps what waits", async () => {
      await edit(admin, leadId, { company: "Granite" });
      sandbox().endAllGrants();
      await writeAll(admin);
      const { problem } = await readIntegration(app, admin, integrationId);
      expect(problem).toContain("Connect it again");
      await giveAccess(app, admin, integrationId, service);
      await writeAll(admin);
      expect(recordOf(service, externalId)?.company).toBe("Granite");
    });
  });
});
