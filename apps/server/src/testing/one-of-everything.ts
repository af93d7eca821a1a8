import { randomBytes, randomInt, randomUUID } from "node:crypto";
import { sql } from "kysely";
import { flatRate } from "./flat-rate.ts";
import { openTestBrowser } from "./media/test-browser.ts";
import { leaveMessage, toneFile } from "./left-messages.ts";
import { openEventStream } from "./open-event-stream.ts";
import { joinOrganisation, makeOrganisation, registerPerson, type TestApp, type TestPerson } from "./test-app.ts";
import { dial, waitForStatus } from "./test-calls.ts";
import { connectIntegration } from "./test-integrations.ts";

/** Everything belongs to the user's own organisation, except `user` and `session`, which belong to the user. */
export interface OneOfEverything {
  owner: TestPerson;
  /** Identifiers by kind. */
  ids: Record<string, string>;
  close(): Promise<void>;
}

/**
 * Creates an organisation that has one of everything that an address can name, including a live call. Makes the app
 * listen.
 */
export async function makeOneOfEverything(app: TestApp): Promise<OneOfEverything> {
  const owner = await registerPerson(app);
  const { token } = owner;
  const organisation = await makeOrganisation(app, owner);
  const sessions = (await app.ask("GET", "/v1/sessions", { token })).json();
  // An open tab: without one, the call would end.
  if (!app.http.server.listening) await app.http.listen({ port: 0, host: "127.0.0.1" });
  const address = app.http.server.address();
  const origin = `http://127.0.0.1:${typeof address === "object" ? address?.port : address}`;
  const attending = await attend(origin, token);
  const message = await leaveMessage(app, { id: owner.id, organisationId: organisation.id });
  const call = await dial(app, owner, "+12025550108");
  const lead = { firstName: "Far", lastName: "Away", email: "far@away.example", phone: "+12025550107" };
  const added = await app.ask("POST", "/v1/leads", { token, body: lead });
  const browser = await openTestBrowser();
  const offer = { offer: browser.offer };
  const { mediaConnectionId } = (await app.ask("POST", "/v1/media-connections", { token, body: offer })).json();
  const invitation = { email: `${randomUUID()}@example.com`, role: "member" };
  const invited = await app.ask("POST", "/v1/invitations", { token, body: invitation });
  const [outcome] = (await app.ask("GET", "/v1/call-outcomes", { token })).json();
  const unwanted = "+12025550199";
  await app.ask("POST", "/v1/do-not-call", { token, body: { phoneNumber: unwanted } });
  // No one answers there; the live call was dialled before.
  const trunk = { host: ownSilentAddress(), authentication: "ip" };
  const carrier = { kind: "sip-trunk", label: "Far away", settings: trunk };
  const connected = await app.ask("POST", "/v1/carriers", { token, body: carrier });
  const notes = `/v1/leads/${added.json().id}/notes` as const;
  const noted = await app.ask("POST", notes, { token, body: { text: "Far away." } });
  // The first number is the caller ID automatically; the named one can be chosen instead.
  await buyNumber(app, owner);
  const number = await buyNumber(app, owner);
  const member = await registerPerson(app);
  await joinOrganisation(app, member, { organisationId: organisation.id, role: "member" });
  const integration = await connectIntegration(app, owner);
  const topUp = await startTopUp(app, owner);
  const leadToRetry = await addLead(app, owner, ["Retried", "+12025550124"]);
  const ids = {
    carrier: connected.json().id,
    rate: await addRate(app, owner, connected.json().id),
    organisation: organisation.id,
    user: owner.id,
    member: member.id,
    session: sessions[0].id,
    call,
    callWithMessage: message.callSid,
    greeting: await addGreeting(app, owner),
    number,
    lead: added.json().id,
    note: noted.json().id,
    leadChange: await deleteLead(app, owner),
    leadMerge: await mergeLeads(app, owner),
    leadView: await addView(app, owner),
    mediaConnectionId,
    file: await addFile(app, owner, added.json().id),
    leadImport: await prepareImport(app, owner),
    invitation: invited.json().id,
    outcome: outcome.id,
    doNotCall: unwanted,
    integration,
    topUp,
    leadToErase: await addLead(app, owner, ["Erased", "+12025550125"]),
    leadToRetry,
    ...(await insertRecords(app, owner, { organisationId: organisation.id, integrationId: integration })),
    ...(await insertRefusals(app, { owner, organisation: organisation.id, integration, lead: leadToRetry, topUp })),
  };
  await waitForStatus(app, owner, { callSid: call, status: "in-progress", timeoutMs: 30_000 });
  for (const [kind, id] of Object.entries(ids)) if (id === undefined) throw new Error(`there is no ${kind} to name`);
  return {
    owner,
    ids,
    async close() {
      attending.close();
      await browser.close();
    },
  };
}

/** No one answers there, and no other organisation has a trunk there. */
export const ownSilentAddress = (): string => `127.${[...randomBytes(2)].join(".")}.${randomInt(1, 255)}:9`;

/** Like a tab: reopens the stream when the server closes it to check that the tab is still there. */
async function attend(origin: string, token: string): Promise<{ close(): void }> {
  let isOver = false;
  let stream = await openEventStream(origin, { token });
  const goOn = async (): Promise<void> => {
    await stream.ended;
    if (isOver) return;
    stream = await openEventStream(origin, { token });
    await goOn();
  };
  // The server stopped before the tab did, or the session has ended.
  goOn().catch(() => {});
  return {
    close() {
      isOver = true;
      stream.close();
    },
  };
}

/** Another test file's organisation may buy the same number at the same moment: then tries the next one. */
async function buyNumber(app: TestApp, { token }: TestPerson): Promise<string> {
  for (const { number } of (await app.ask("GET", "/v1/phone-numbers/available?countryCode=MX", { token })).json()) {
    const bought = await app.ask("POST", "/v1/phone-numbers", { token, body: { number } });
    if (bought.statusCode === 201) return bought.json().id;
  }
  throw new Error("no number could be bought");
}

async function sendFile(app: TestApp, by: TestPerson, sent: { path: string; file: File; fields: object }) {
  const form = new FormData();
  form.append("file[]", sent.file);
  for (const [name, value] of Object.entries(sent.fields)) form.append(name, String(value));
  return app.ask("POST", sent.path, { token: by.token, form });
}

async function addGreeting(app: TestApp, by: TestPerson): Promise<string> {
  const file = new File([new Uint8Array(toneFile(440, 600))], "far.wav");
  const { id } = (await sendFile(app, by, { path: "/v1/voicemail/greetings", file, fields: {} })).json();
  await app.ask("PUT", "/v1/voicemail", { token: by.token, body: { enabled: true, greetingId: id } });
  return id;
}

async function startTopUp(app: TestApp, { token }: TestPerson): Promise<string> {
  const headers = { "idempotency-key": randomUUID() };
  return (await app.ask("POST", "/v1/billing/top-ups", { token, body: { amountMicros: 5_000_000 }, headers })).json()
    .id;
}

async function addFile(app: TestApp, by: TestPerson, leadId: string): Promise<string> {
  const fields = { entity: "lead", entityId: leadId };
  const file = new File(["%PDF-1.7"], "far.pdf");
  return (await sendFile(app, by, { path: "/v1/files", file, fields })).json()[0].id;
}

async function prepareImport(app: TestApp, by: TestPerson): Promise<string> {
  const content = "First name,Last name,Email,Phone\nFar,Away,far@away.example,+12025550107\n";
  const file = new File([content], "far.csv");
  return (await sendFile(app, by, { path: "/v1/lead-imports", file, fields: {} })).json().id;
}

async function addView(app: TestApp, { token }: TestPerson): Promise<string> {
  const body = { name: "Far away", shared: true, filter: {} };
  return (await app.ask("POST", "/v1/lead-views", { token, body })).json().id;
}

async function addRate(app: TestApp, { token }: TestPerson, carrierId: string): Promise<string> {
  const body = { prefix: "1202", effectiveFrom: "2026-01-01", ...flatRate(0) };
  return (await app.ask("PUT", `/v1/carriers/${carrierId}/rates`, { token, body })).json().id;
}

async function addLead(app: TestApp, { token }: TestPerson, [lastName, phone]: [string, string]): Promise<string> {
  const body = { firstName: "Far", lastName, email: `${lastName}@away.example`, phone };
  return (await app.ask("POST", "/v1/leads", { token, body })).json().id;
}

/** The deletion, which can be undone. */
async function deleteLead(app: TestApp, by: TestPerson): Promise<string> {
  const body = { ids: [await addLead(app, by, ["Deleted", "+12025550121"])], action: { kind: "delete" } };
  return (await app.ask("POST", "/v1/lead-changes", { token: by.token, body })).json().id;
}

async function mergeLeads(app: TestApp, by: TestPerson): Promise<string> {
  const body = {
    keepId: await addLead(app, by, ["Kept", "+12025550122"]),
    otherIds: [await addLead(app, by, ["Merged", "+12025550123"])],
  };
  return (await app.ask("POST", "/v1/lead-merges", { token: by.token, body })).json().id;
}

/**
 * Inserts what only a vendor or a CRM brings about: an account that couldn't be connected, an order that was refused, and
 * a sync that has ended. The vendor is unknown here, so nothing asks it.
 */
async function insertRecords(
  app: TestApp,
  owner: TestPerson,
  { organisationId, integrationId }: { organisationId: string; integrationId: string },
): Promise<{ carrierAccount: string; numberOrder: string; runId: string }> {
  const ids = { carrierAccount: randomUUID(), numberOrder: randomUUID(), runId: randomUUID() };
  const of = { organisation_id: organisationId };
  const vendor = "nobody";
  await app.database.withTransaction({ organisationId, userId: owner.id }, async (tx) => {
    const account = { vendor, label: "Far away", state: "failed", carrier_id: randomUUID(), local_port: 0 } as const;
    await tx
      .insertInto("carrier_accounts")
      .values({ ...of, id: ids.carrierAccount, ...account, is_sandbox: false })
      .execute();
    const order = { number: "+525550009999", carrier: vendor, state: "refused", note: "Far away." } as const;
    await tx
      .insertInto("phone_numbers")
      .values({ ...of, id: ids.numberOrder, account_id: ids.carrierAccount, ...order })
      .execute();
    const endedAt = new Date().toISOString();
    await tx
      .insertInto("sync_runs")
      .values({ ...of, id: ids.runId, integration_id: integrationId, status: "completed", ended_at: endedAt })
      .execute();
  });
  return ids;
}

/**
 * Inserts what takes a CRM that refuses, or a payment: a call that waits for a lead to be chosen, a call and a lead that
 * the CRM refused, and the receipt of a top-up.
 */
async function insertRefusals(
  app: TestApp,
  of: { owner: TestPerson; organisation: string; integration: string; lead: string; topUp: string },
): Promise<{ callToSort: string; callToRetry: string }> {
  const newSid = () => `CA${randomUUID().replaceAll("-", "")}`;
  const ids = { callToSort: newSid(), callToRetry: newSid() };
  const refused = sql`${of.integration}, 'failed', 'Far away.'`;
  await app.database.withTransaction({ organisationId: of.organisation }, async (tx) => {
    for (const callSid of Object.values(ids))
      await sql`
        insert into calls (call_sid, organisation_id, user_id, direction, status, phone_number, phone_number_typed, carrier,
          process_key, ended_at, reason)
        values (${callSid}, ${of.organisation}, ${of.owner.id}, 'outbound', 'no-answer', '+12025550107', '', 'sandbox', 0,
          clock_timestamp(), 'no-answer')`.execute(tx);
    await sql`
      update leads set integration_id = ${of.integration}, external_id = 'retried' where id = ${of.lead}`.execute(tx);
    await sql`
      insert into call_activities (call_sid, organisation_id, lead_id, integration_id, state, problem)
      values (${ids.callToSort}, ${of.organisation}, null, null, 'to-sort', null),
        (${ids.callToRetry}, ${of.organisation}, ${of.lead}, ${refused})`.execute(tx);
    await sql`
      insert into lead_writes (lead_id, organisation_id, integration_id, state, problem)
      values (${of.lead}, ${of.organisation}, ${refused})`.execute(tx);
    await sql`
      insert into receipts (top_up_id, organisation_id, number, seller, buyer, description, amount, tax, is_sandbox)
      values (${of.topUp}, ${of.organisation}, 1, 'Seller', 'Far away', 'Top-up', 5000000, 0, true)`.execute(tx);
  });
  return ids;
}
