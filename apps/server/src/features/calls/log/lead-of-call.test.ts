import type { Call } from "@leadline/contract/calls";
import { expect, test } from "vitest";
import { leavePastCalls } from "../../../testing/past-calls.ts";
import { dial, newRep, readCall, type Rep, testAppWithCalls } from "../../../testing/test-calls.ts";

const app = testAppWithCalls();
// A busy number doesn't ring, so the call is over before the next one begins.
const busy = "+12025550103";

async function addLead(rep: Rep, firstName: string, phone = busy): Promise<string> {
  const body = { firstName, lastName: "Stone", email: "someone@stone.example", phone };
  return (await app.ask("POST", "/v1/leads", { token: rep.token, body })).json().id;
}
async function call(rep: Rep, leadId?: string): Promise<Call> {
  const started = await app.ask("POST", "/v1/calls", { token: rep.token, body: { phoneNumber: busy, leadId } });
  expect(started.statusCode).toBe(201);
  await app.ask("POST", `/v1/calls/${started.json().callSid}/hang-up`, { token: rep.token });
  return readCall(app, rep, started.json().callSid);
}
const names = ({ leads }: Call): string[] => leads.map(({ firstName }) => firstName);

test("a call started from a lead belongs to that lead, even if others have the number", async () => {
  const rep = await newRep(app);
  const bob = await addLead(rep, "Bob");
  await addLead(rep, "Grace");
  const ofBob = await call(rep, bob);
  expect(names(ofBob)).toEqual(["Bob"]);
  expect(names(await call(rep))).toEqual(["Grace", "Bob"]);
  await app.ask("PUT", `/v1/leads/${bob}`, { token: rep.token, body: { phone: "+12025550199" } });
  expect(names(await readCall(app, rep, ofBob.callSid))).toEqual(["Bob"]);
});

test("a call stays with the only lead that had its number when others get the number later", async () => {
  const rep = await newRep(app);
  await addLead(rep, "Bob");
  const { callSid } = await call(rep);
  await addLead(rep, "Grace");
  expect(names(await readCall(app, rep, callSid))).toEqual(["Bob"]);
});

test("a lead's calls are its own and unassigned ones of its number; deleting the lead keeps them under the number", async () => {
  const rep = await newRep(app);
  const nobodys = await call(rep);
  const [bob, grace] = [await addLead(rep, "Bob"), await addLead(rep, "Grace")];
  const ofBob = await call(rep, bob);
  const callsOf = async (leadId: string) =>
    (await app.ask("GET", `/v1/calls?leadId=${leadId}`, { token: rep.token })).json().map((each: Call) => each.callSid);
  expect(await callsOf(bob)).toEqual([ofBob.callSid, nobodys.callSid]);
  expect(await callsOf(grace)).toEqual([nobodys.callSid]);
  await app.ask("DELETE", `/v1/leads/${bob}`, { token: rep.token });
  expect(names(await readCall(app, rep, ofBob.callSid))).toEqual(["Grace"]);
});

test("the callback belongs to the call's lead", async () => {
  const rep = await newRep(app);
  const bob = await addLead(rep, "Bob");
  await addLead(rep, "Grace");
  const { callSid } = await call(rep, bob);
  const body = { followUpOn: "2126-03-29" };
  const set = await app.ask("PUT", `/v1/calls/${callSid}/disposition`, { token: rep.token, body });
  expect(set.json().followUpOn).toBe("2126-03-29");
  expect((await app.ask("GET", `/v1/leads/${bob}`, { token: rep.token })).json().followUpOn).toBe("2126-03-29");
});

test("refuses a lead of another organisation, and dials nothing", async () => {
  const [rep, stranger] = [await newRep(app), await newRep(app)];
  const foreign = await addLead(stranger, "Bob");
  const body = { phoneNumber: busy, leadId: foreign };
  const refused = await app.ask("POST", "/v1/calls", { token: rep.token, body });
  expect([refused.statusCode, refused.json().detail]).toEqual([404, "Lead not found."]);
  expect((await app.ask("GET", "/v1/calls", { token: rep.token })).json()).toEqual([]);
  await dial(app, rep, busy);
});

test("lists only the organisation's own calls that need a lead chosen", async () => {
  const [rep, stranger] = [await newRep(app), await newRep(app)];
  const past = [{ at: "2026-01-05T09:00:00Z", phoneNumber: busy }, { at: "2026-01-05T10:00:00Z" }];
  for (const each of [rep, stranger]) {
    const [waiting = ""] = await leavePastCalls(app, each, past);
    const { organisationId } = each;
    await app.database.withTransaction({ organisationId }, (tx) =>
      tx
        .insertInto("call_activities")
        .values({ call_sid: waiting, organisation_id: organisationId, state: "to-sort" })
        .execute(),
    );
    const listed: Call[] = (await app.ask("GET", "/v1/calls?toSort=true", { token: each.token })).json();
    expect(listed.map(({ callSid }) => callSid)).toEqual([waiting]);
  }
});
