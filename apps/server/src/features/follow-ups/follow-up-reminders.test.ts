import { afterAll, beforeAll, expect, test } from "vitest";
import { markProcessAlive, type ProcessMark } from "../../db/mark-process-alive.ts";
import { createLog } from "../../log.ts";
import { createMailer, type Mailer } from "../../mail/create-mailer.ts";
import { createMailedLinks } from "../../mail/mailed-links.ts";
import { startMailServer } from "../../testing/mail-server.ts";
import { leavePastCalls } from "../../testing/past-calls.ts";
import {
  joinOrganisation,
  makeOrganisation,
  registerPerson,
  testApp,
  type TestPerson,
} from "../../testing/test-app.ts";
import { mailFollowUpsJob } from "./mail-follow-ups.ts";
import { remindOfFollowUpsJob } from "./remind-of-follow-ups.ts";

const app = testApp();
const log = createLog("fatal");
let server: Awaited<ReturnType<typeof startMailServer>>;
let mailer: Mailer;
let here: ProcessMark;
beforeAll(async () => {
  server = await startMailServer();
  mailer = createMailer({ smtpUrl: server.url, mailFrom: "Leadline <phone@example.com>", dataDir: "" }, log);
  here = await markProcessAlive(app.database, log);
});
afterAll(async () => {
  await here.close();
  mailer.close();
  await server.close();
});

const links = createMailedLinks(() => Buffer.alloc(32), Promise.resolve("https://phone.example.com"));
const mailJob = () => mailFollowUpsJob({ database: app.database, mailer, links });
type Mailed = Parameters<ReturnType<typeof mailJob>["run"]>[0];

interface Rep extends TestPerson {
  organisationId: string;
}
const newRep = async (): Promise<Rep> => {
  const person = await registerPerson(app);
  return { ...person, organisationId: (await makeOrganisation(app, person)).id };
};
const lead = { firstName: "Bob", lastName: "Stone", email: "bob@stone.example", phone: "+12025550100" };
const addLead = async (rep: TestPerson, more: object): Promise<string> =>
  (await app.ask("POST", "/v1/leads", { token: rep.token, body: { ...lead, ...more } })).json().id;

const asSystem = { system: "the tests turn back time" };
/** Moves the organisation's reminders to this many minutes ago. */
const comeDue = ({ organisationId }: Rep, minutesAgo: number): Promise<unknown> =>
  app.database.withTransaction(asSystem, (tx) => {
    const [remind_on, clock = ""] = new Date(Date.now() - minutesAgo * 60_000).toISOString().split("T");
    const set = { remind_on: remind_on ?? "", remind_at: clock.slice(0, 8), created_at: "2026-01-01T00:00:00Z" };
    return tx.updateTable("follow_up_reminders").set(set).where("organisation_id", "=", organisationId).execute();
  });
const waiting = ({ organisationId }: Rep) =>
  app.database.withTransaction(asSystem, (tx) =>
    tx.selectFrom("follow_up_reminders").selectAll().where("organisation_id", "=", organisationId).execute(),
  );
const eventsOf = ({ organisationId }: Rep) =>
  app.database.withTransaction(asSystem, (tx) =>
    tx
      .selectFrom("live_events")
      .select("data")
      .where("organisation_id", "=", organisationId)
      .where("type", "=", "follow-ups.due")
      .execute(),
  );
/** The people with an open tab in this process. */
const nowPresent = (people: readonly Rep[]): Promise<unknown> =>
  app.database.withTransaction(asSystem, (tx) => {
    const present = people.map(({ organisationId, id: userId }) => ({ organisationId, userId }));
    const row = { present: JSON.stringify(present), in_call: "[]" };
    return tx
      .insertInto("people_at_processes")
      .values({ process_key: here.processKey, ...row })
      .onConflict((conflict) => conflict.column("process_key").doUpdateSet(row))
      .execute();
  });

/** Runs the job in that many processes at once; returns the mails it ordered for the user. */
async function remind(rep: Rep, { processes = 1, fail = false } = {}): Promise<Mailed[]> {
  const ordered: Mailed[] = [];
  const enqueue = async (_tx: unknown, _job: unknown, data: object) => {
    if (fail) throw new Error("killed");
    ordered.push(mailJob().schema.parse(data));
  };
  const job = remindOfFollowUpsJob(app.database, mailJob());
  await Promise.all(Array.from({ length: processes }, () => job.run({}, { enqueue })));
  return ordered.filter(({ organisationId }) => organisationId === rep.organisationId);
}

const mailsTo = ({ email }: TestPerson) => server.received.filter(({ to }) => to === email);

test("reminds the owner in an open page, once, though several processes look", async () => {
  const rep = await newRep();
  const id = await addLead(rep, { followUpOn: "2126-02-01", followUpTime: "14:30" });
  await nowPresent([rep]);
  expect(await remind(rep)).toEqual([]);
  expect(await eventsOf(rep)).toEqual([]);
  await comeDue(rep, 1);
  expect(await remind(rep, { processes: 3 })).toEqual([]);
  const first = { leadId: id, name: "Bob Stone", phoneNumber: "+12025550100", followUpTime: "14:30" };
  expect(await eventsOf(rep)).toMatchObject([{ data: { userId: rep.id, count: 1, first } }]);
  await remind(rep);
  expect(await eventsOf(rep)).toHaveLength(1);
});

test("mails the owner once they have been away for five minutes, only once, even after a kill in between", async () => {
  const rep = await newRep();
  const id = await addLead(rep, { followUpOn: "2126-02-01", followUpTime: "14:30" });
  await nowPresent([]);
  await comeDue(rep, 4);
  expect(await remind(rep)).toEqual([]);
  expect(await waiting(rep)).toHaveLength(1);
  await comeDue(rep, 6);
  await expect(remind(rep, { fail: true })).rejects.toThrow("killed");
  const ordered = await remind(rep, { processes: 3 });
  expect(ordered).toMatchObject([{ userId: rep.id, count: 1, leadIds: [id], phoneNumbers: [] }]);
  expect(await remind(rep)).toEqual([]);
  expect(await eventsOf(rep)).toEqual([]);

  // The lead itself is due in another century, so move that back too.
  await app.database.withTransaction({ organisationId: rep.organisationId }, (tx) =>
    tx.updateTable("leads").set({ follow_up_on: "2026-01-05" }).where("id", "=", id).execute(),
  );
  for (const mailed of ordered) await mailJob().run(mailed, { enqueue: async () => {} });
  const [mail, another] = mailsTo(rep);
  expect(another).toBeUndefined();
  for (const words of ["Subject: Call back Bob Stone", "14:30", "+12025550100", "/calls?tab=call-back", "UTC"])
    expect(mail?.text).toContain(words);
});

test("mails nothing that is done or reassigned by the time of sending", async () => {
  const rep = await newRep();
  const id = await addLead(rep, { followUpOn: "2126-02-01" });
  await nowPresent([]);
  await comeDue(rep, 6);
  const ordered = await remind(rep);
  expect(ordered).toHaveLength(1);
  await app.ask("PUT", `/v1/leads/${id}`, { token: rep.token, body: { followUpOn: null } });
  for (const mailed of ordered) await mailJob().run(mailed, { enqueue: async () => {} });
  expect(mailsTo(rep)).toEqual([]);
});

test("sends one mail with everything that is due, including numbers without a lead", async () => {
  const rep = await newRep();
  await leavePastCalls(app, rep, [{ at: "2026-01-14T10:00:00Z", phoneNumber: "+4930111111" }]);
  await app.ask("PUT", "/v1/follow-ups/+4930111111", { token: rep.token, body: { followUpOn: "2126-02-01" } });
  await addLead(rep, { followUpOn: "2126-02-01" });
  await nowPresent([]);
  await comeDue(rep, 6);
  expect(await remind(rep)).toMatchObject([{ count: 2, phoneNumbers: ["+4930111111"] }]);
});

test("doesn't remind of a number's callback in addition to its lead's", async () => {
  const rep = await newRep();
  const phone = "+4930111111";
  await leavePastCalls(app, rep, [{ at: "2026-01-14T10:00:00Z", phoneNumber: phone }]);
  await app.ask("PUT", `/v1/follow-ups/${phone}`, { token: rep.token, body: { followUpOn: "2126-02-01" } });
  const id = await addLead(rep, { phone, followUpOn: "2126-02-02" });
  await nowPresent([]);
  await comeDue(rep, 6);
  expect(await remind(rep)).toMatchObject([{ count: 1, leadIds: [id], phoneNumbers: [] }]);
});

test("an analyst isn't reminded, and can't be given a callback", async () => {
  const rep = await newRep();
  const colleague = await registerPerson(app);
  await joinOrganisation(app, colleague, { organisationId: rep.organisationId, role: "member" });
  const id = await addLead(rep, { followUpOn: "2126-02-01", followUpOwnerId: colleague.id });
  const body = { role: "analyst" };
  expect((await app.ask("PUT", `/v1/members/${colleague.id}`, { token: rep.token, body })).statusCode).toBe(200);
  await nowPresent([]);
  await comeDue(rep, 6);
  expect(await remind(rep)).toEqual([]);
  await app.ask("PUT", `/v1/leads/${id}`, { token: rep.token, body: { followUpOwnerId: rep.id } });
  const given = { followUpOwnerId: colleague.id };
  expect((await app.ask("PUT", `/v1/leads/${id}`, { token: rep.token, body: given })).statusCode).toBe(422);
});

test("a reminder follows changes of day, time and owner, and is deleted with the follow-up, its lead and its owner", async () => {
  const rep = await newRep();
  const colleague = await registerPerson(app);
  await joinOrganisation(app, colleague, { organisationId: rep.organisationId, role: "member" });
  const id = await addLead(rep, { followUpOn: "2126-02-01" });
  const change = (body: object) => app.ask("PUT", `/v1/leads/${id}`, { token: rep.token, body });
  const at = async () =>
    (await waiting(rep)).map(({ user_id, remind_on, remind_at }) => [user_id, remind_on, remind_at]);
  expect(await at()).toEqual([[rep.id, "2126-02-01", "09:00:00"]]);
  await change({ followUpTime: "16:15", followUpOwnerId: colleague.id });
  expect(await at()).toEqual([[colleague.id, "2126-02-01", "16:15:00"]]);
  await change({ followUpOwnerId: null });
  expect(await at()).toEqual([]);
  await change({ followUpOn: "2126-02-02" });
  expect(await at()).toEqual([[rep.id, "2126-02-02", "16:15:00"]]);
  await app.ask("DELETE", `/v1/leads/${id}`, { token: rep.token });
  expect(await at()).toEqual([]);

  await addLead(rep, { followUpOn: "2126-02-01", followUpOwnerId: colleague.id });
  await app.ask("DELETE", `/v1/members/${colleague.id}`, { token: rep.token });
  await nowPresent([]);
  await comeDue(rep, 6);
  expect(await remind(rep)).toEqual([]);
  expect(await waiting(rep)).toEqual([]);
});

test("the time is in the organisation's time zone, even if that changes while the reminder is pending", async () => {
  const rep = await newRep();
  await addLead(rep, { followUpOn: "2126-02-01" });
  await nowPresent([rep]);
  // An hour from now in UTC is an hour ago in a zone two hours to the east.
  await comeDue(rep, -60);
  await remind(rep);
  expect(await waiting(rep)).toHaveLength(1);
  const body = { timeZone: "Etc/GMT-2" };
  await app.ask("PUT", `/v1/organisations/${rep.organisationId}`, { token: rep.token, body });
  await remind(rep);
  expect(await waiting(rep)).toEqual([]);
  expect(await eventsOf(rep)).toHaveLength(1);
});

test("doesn't remind of a time that was in the past when it was set", async () => {
  const rep = await newRep();
  const id = await addLead(rep, { followUpOn: "2126-02-01" });
  const body = { followUpOn: "2020-02-03", putBack: true };
  await app.ask("PUT", `/v1/leads/${id}`, { token: rep.token, body });
  await nowPresent([rep]);
  await remind(rep);
  expect(await waiting(rep)).toEqual([]);
  expect(await eventsOf(rep)).toEqual([]);
});
