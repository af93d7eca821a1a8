import { randomUUID } from "node:crypto";
import { createCrmHands } from "@leadline/adapter-kit/conformance/crm-hands";
import { expect, test } from "vitest";
import { ApiRefusal } from "./api.ts";
import { openAgainstSandbox } from "./testing/open-against-sandbox.ts";

test("the Task of a lead that is created has the organisation's day", async () => {
  const tested = await openAgainstSandbox();
  try {
    const grant = await createCrmHands(() => tested).connect();
    const { leads, defaultMapping } = tested.crm;
    if (defaultMapping === null) throw new Error("there is no default mapping");
    const leadId = randomUUID();
    const texts = { firstName: "Ada", lastName: "Stone", email: "", phone: "", company: "Quarry", jobTitle: "" };
    const values = { ...texts, nextStep: "", status: "", owner: "" };
    await leads.create(
      grant,
      { leadId, today: "2026-02-28", values, changed: ["firstName", "lastName", "company"] },
      defaultMapping,
    );
    const q = `SELECT ActivityDate FROM Task WHERE CallObject = 'leadline-lead-${leadId}'`;
    const path = `/services/data/v62.0/query?${new URLSearchParams({ q })}`;
    const answer = JSON.parse(tested.people({ method: "GET", path }).body);
    expect(answer.records).toMatchObject([{ ActivityDate: "2026-02-28" }]);
  } finally {
    await tested.close();
  }
});

test("an error that comes with the status of a success isn't an update", async () => {
  const tested = await openAgainstSandbox();
  try {
    const grant = await createCrmHands(() => tested).connect();
    const { leads, defaultMapping, readLeads } = tested.crm;
    if (defaultMapping === null) throw new Error("there is no default mapping");
    const [lead] = (await readLeads(grant, null, null)).leads;
    const texts = { firstName: "Ada", lastName: "Stone", email: "", phone: "", company: "Quarry", jobTitle: "" };
    const values = { ...texts, nextStep: "", status: "", owner: "" };
    tested.fail({ status: 200, ofLead: true });
    const updating = leads.update(grant, lead?.externalId ?? "", { values, changed: ["company"] }, defaultMapping);
    await expect(updating).rejects.toMatchObject({ fault: "refused" });
  } finally {
    await tested.close();
  }
});

test("only the start of a refusal is searched for the field that is missing", () => {
  expect(new ApiRefusal("REQUIRED_FIELD_MISSING", "[".repeat(1_000_000)).detail).toHaveLength(300);
});
