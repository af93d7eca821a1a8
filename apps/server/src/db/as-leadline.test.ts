import { randomUUID } from "node:crypto";
import type { AuditEntry } from "@leadline/contract/audit-log";
import { describe, expect, test } from "vitest";
import { leadlineChanges } from "../testing/leadline-changes.ts";
import { makeOrganisation, registerPerson, testApp, type TestPerson } from "../testing/test-app.ts";
import { asLeadline } from "./as-leadline.ts";
import { auditing } from "./audit-context.ts";
import type { Tx } from "./transaction.ts";

const app = testApp();
type Owner = TestPerson & { organisationId: string };
const newOwner = async (): Promise<Owner> => {
  const made = await registerPerson(app);
  return { ...made, organisationId: (await makeOrganisation(app, made)).id };
};
const inOrganisation = <T>({ organisationId }: Owner, work: (tx: Tx) => Promise<T>) =>
  app.database.withTransaction({ organisationId }, work);
const rename = (tx: Tx, { organisationId }: Owner, name: string) =>
  tx.updateTable("organisations").set({ name }).where("id", "=", organisationId).execute();
const logOf = async (by: Owner, query = ""): Promise<AuditEntry[]> =>
  (await app.ask("GET", `/v1/audit-log?${query}`, { token: by.token })).json().entries;

describe("a change that Leadline makes on its own", () => {
  test("is in the log as Leadline's, one entry for each action, and found by filter, action, text and export", async () => {
    const by = await newOwner();
    await inOrganisation(by, async (tx) => {
      await asLeadline(tx, "leads.reassigned", () => rename(tx, by, "First"));
      await rename(tx, by, "Nobody’s");
      await asLeadline(tx, "integration.access-ended", () => rename(tx, by, "Second"));
    });
    const entries = await leadlineChanges(app, by);
    const common = { userId: null, userName: "Leadline", byLeadline: true, address: "", requestId: "" };
    expect(entries).toMatchObject([
      { ...common, action: "integration.access-ended", changes: [{ after: { name: "Second" } }] },
      { ...common, action: "leads.reassigned", changes: [{ kind: "organisations", after: { name: "First" } }] },
    ]);
    const found = async (query: string) => (await logOf(by, query)).map(({ action }) => action);
    expect(await found("action=leads.reassigned")).toEqual(["leads.reassigned"]);
    expect(await found("search=leadline")).toEqual(["integration.access-ended", "leads.reassigned"]);
    expect(await found(`userId=${by.id}`)).not.toContain("leads.reassigned");
    const file = await app.ask("GET", "/v1/audit-log/export?userId=leadline", { token: by.token });
    expect(file.body).toContain('"Leadline","leads.reassigned","organisations"');
    const { actions } = (await app.ask("GET", "/v1/audit-log/settings", { token: by.token })).json();
    expect(actions).toEqual(expect.arrayContaining(["phone-number.renewed", "leads.synced"]));
  });

  test("that is rolled back leaves no entry", async () => {
    const by = await newOwner();
    const failing = inOrganisation(by, async (tx) => {
      await asLeadline(tx, "leads.reassigned", () => rename(tx, by, "Undone"));
      throw new Error("undo");
    });
    await expect(failing).rejects.toThrow("undo");
    expect(await leadlineChanges(app, by)).toEqual([]);
  });

  test("during a person's request remains that person's", async () => {
    const by = await newOwner();
    const { id: userId, organisationId } = by;
    const context = { action: "phone-number.bought", userId, organisationId, address: "10.0.0.1", userAgent: "" };
    await auditing({ ...context, requestId: randomUUID() }, () =>
      inOrganisation(by, (tx) => asLeadline(tx, "phone-number.bought", () => rename(tx, by, "Bought"))),
    );
    expect(await leadlineChanges(app, by)).toEqual([]);
    expect((await logOf(by))[0]).toMatchObject({ action: "phone-number.bought", userId, byLeadline: false });
  });
});
