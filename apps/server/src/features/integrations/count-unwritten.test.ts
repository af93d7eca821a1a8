import type { Fault } from "@leadline/crm-sandbox/faults";
import { beforeEach, describe, expect, test } from "vitest";
import { callsAtCrms } from "../../testing/calls-at-crms.ts";
import { leadsAtCrms } from "../../testing/leads-at-crms.ts";
import { testApp } from "../../testing/test-app.ts";
import { crmIds } from "../../testing/test-crm.ts";
import { type Admin, newAdmin } from "../../testing/test-integrations.ts";

const app = testApp();
const leads = leadsAtCrms(app);
const calls = callsAtCrms(app);

const unwritten = async ({ token }: Admin, integrationId: string) => {
  const { statusCode, body } = await app.ask("GET", `/v1/integrations/${integrationId}/unwritten`, { token });
  return { statusCode, ...JSON.parse(body) };
};

describe.each(crmIds)("what %s doesn’t have yet", (service) => {
  const refuse = (path: RegExp): void => app.crm.sandboxOf(service).faults.add({ path, status: 400 } satisfies Fault);
  beforeEach(() => app.crm.sandboxOf(service).faults.clear());

  test("is counted while it waits and once it was refused, and no longer when it is there", async () => {
    const { by, integrationId } = await leads.connect(service, { sends: true });
    const { callsPath, leadPath } = app.crm.sandboxOf(service);
    expect(await unwritten(by, integrationId)).toEqual({ statusCode: 200, calls: 0, leads: 0 });
    const { number } = await calls.leadWithOwnNumber(by);
    const callSid = await calls.endCall(by, number);
    const { id: leadId } = await leads.leadAt(by, service, 30);
    await leads.edit(by, leadId, { company: "Granite" });
    const { id: addedId } = await leads.add(by);
    expect((await leads.createIn(by, addedId, integrationId)).statusCode).toBe(201);
    expect(await unwritten(by, integrationId)).toMatchObject({ calls: 1, leads: 2 });

    refuse(callsPath);
    await calls.writeAll(by);
    expect(await calls.activityOf(by, callSid)).toMatchObject({ state: "failed" });
    refuse(leadPath);
    await leads.writeAll(by);
    expect(await unwritten(by, integrationId)).toMatchObject({ calls: 1, leads: 1 });

    for (const id of [leadId, addedId]) await leads.retry(by, id);
    const retried = await app.ask("POST", `/v1/calls/${callSid}/activity/retry`, { token: by.token });
    expect(retried.statusCode).toBe(204);
    await Promise.all([calls.writeAll(by), leads.writeAll(by)]);
    expect(await unwritten(by, integrationId)).toMatchObject({ calls: 0, leads: 0 });
  });
});

test("what waits for one CRM isn’t counted for another, nor told to another organisation", async () => {
  const [service = ""] = crmIds;
  const { by, integrationId } = await leads.connect(service, { sends: true });
  const { id: leadId } = await leads.leadAt(by, service, 30);
  await leads.edit(by, leadId, { company: "Slate" });
  const made = await app.ask("POST", "/v1/integrations", {
    token: by.token,
    body: { service, label: "Another", workspaceDomain: app.crm.sandboxOf(service).domain },
  });
  expect(await unwritten(by, made.json().id)).toMatchObject({ calls: 0, leads: 0 });
  expect(await unwritten(by, integrationId)).toMatchObject({ leads: 1 });
  expect(await unwritten(await newAdmin(app), integrationId)).toMatchObject({ statusCode: 404 });
});
