import { afterAll, beforeAll, expect, test } from "vitest";
import { createLog } from "../../../log.ts";
import { createMailer, type Mailer } from "../../../mail/create-mailer.ts";
import { createMailedLinks } from "../../../mail/mailed-links.ts";
import { startMailServer } from "../../../testing/mail-server.ts";
import { joinOrganisation, registerPerson, type TestPerson } from "../../../testing/test-app.ts";
import { newRep, testAppWithCalls } from "../../../testing/test-calls.ts";
import { mailBreachJob, orderBreachMailsJob } from "./mail-breaches.ts";
import { noteEndedByLimit } from "./note-ended-by-limit.ts";

const app = testAppWithCalls();
let server: Awaited<ReturnType<typeof startMailServer>>;
let mailer: Mailer;
beforeAll(async () => {
  server = await startMailServer();
  const mailFrom = "Leadline <phone@example.com>";
  mailer = createMailer({ smtpUrl: server.url, mailFrom, dataDir: "" }, createLog("fatal"));
});
afterAll(async () => {
  mailer.close();
  await server.close();
});

const call = (by: TestPerson, phoneNumber: string) =>
  app.ask("POST", "/v1/calls", { token: by.token, body: { phoneNumber } });

test("refused calls are listed for admins, and each owner is mailed once a day for each limit and member", async () => {
  const links = createMailedLinks(() => Buffer.alloc(32), Promise.resolve("https://phone.example.com"));
  const job = mailBreachJob({ database: app.database, mailer, links });
  const owner = await newRep(app);
  const [second, member] = [await registerPerson(app), await registerPerson(app)];
  await joinOrganisation(app, second, { organisationId: owner.organisationId, role: "owner" });
  await joinOrganisation(app, member, { organisationId: owner.organisationId, role: "admin" });
  // Suites share a database, so this only looks at this suite's owners.
  const order = async () => {
    const ordered: Parameters<typeof job.run>[0][] = [];
    const enqueue = async (_tx: unknown, _job: unknown, data: object) => void ordered.push(job.schema.parse(data));
    await orderBreachMailsJob(app.database, job).run({}, { enqueue });
    return ordered.filter(({ userId }) => [owner.id, second.id, member.id].includes(userId));
  };
  const list = async () => (await app.ask("GET", "/v1/limits/breaches", { token: member.token })).json();
  expect(await list()).toEqual([]);
  const { detail } = (await call(member, "+4930901820")).json();
  for (const number of ["+4930901820", "+4930901821"]) await call(member, number);
  await call(member, "+19005550123");
  await call(owner, "+4930901820");
  const found = await list();
  expect(found).toHaveLength(3);
  expect(found[0]).toMatchObject({ userId: owner.id, limit: "countries", attempts: 1 });
  expect(found[1]).toMatchObject({ userId: member.id, limit: "costly-numbers", isMembers: false });
  expect(found[2]).toMatchObject({ userId: member.id, attempts: 3, phoneNumber: "+4930901821", detail });

  const ordered = await order();
  expect(ordered.map(({ userId }) => userId).toSorted()).toEqual(
    [owner.id, second.id].flatMap((id) => [id, id, id]).toSorted(),
  );
  await call(member, "+4930901822");
  expect(await order()).toEqual([]);
  for (const data of ordered) await job.run(data, { enqueue: async () => {} });
  const to = (email: string) => server.received.filter((mail) => mail.to === email);
  expect([owner, second, member].map(({ email }) => to(email).length)).toEqual([3, 3, 0]);
  const texts = to(owner.email).map(({ text }) => text);
  const ofCountries = texts.find((text) => text.includes("+4930901822"));
  for (const words of [
    "Subject: Leadline refused a call over a limit",
    "Robin Tester",
    "https://phone.example.com/settings/limits",
  ])
    expect(ofCountries).toContain(words);
});

test("a breach of a limit that all members share is mailed once, not per member", async () => {
  const links = createMailedLinks(() => Buffer.alloc(32), Promise.resolve("https://phone.example.com"));
  const job = mailBreachJob({ database: app.database, mailer, links });
  const owner = await newRep(app);
  const members = [await registerPerson(app), await registerPerson(app), await registerPerson(app)];
  for (const member of members) await joinOrganisation(app, member, { ...owner, role: "member" });
  await app.ask("PUT", "/v1/limits", { token: owner.token, body: { dailySpend: 0 } });
  const mailsToOwner = async () => {
    let mails = 0;
    const enqueue = async (_tx: unknown, _job: unknown, data: object) =>
      void (mails += job.schema.parse(data).userId === owner.id ? 1 : 0);
    await orderBreachMailsJob(app.database, job).run({}, { enqueue });
    return mails;
  };
  for (const member of members.slice(1)) await call(member, "+12025550100");
  expect(await mailsToOwner()).toBe(1);
  for (const member of members) await call(member, "+12025550100");
  expect(await mailsToOwner()).toBe(0);
});

test.each([
  ["spending-limit", "daily-spend", false, "reached its daily spending limit"],
  ["member-spending-limit", "daily-spend", true, "reached their own daily spending limit"],
  ["call-length-limit", "call-length", false, "reached your organisation’s maximum length"],
  ["member-call-length-limit", "call-length", true, "reached the maximum length for its member"],
] as const)(
  "a call that ended for its %s is listed, and owners are mailed",
  async (reason, limit, isMembers, words) => {
    const links = createMailedLinks(() => Buffer.alloc(32), Promise.resolve("https://phone.example.com"));
    const job = mailBreachJob({ database: app.database, mailer, links });
    const owner = await newRep(app);
    const { id: userId, organisationId } = owner;
    const [phoneNumber, cause] = ["+12025550100", { reason, sip: null, q850: 16 }];
    await app.database.withTransaction({ organisationId, userId }, (tx) =>
      noteEndedByLimit(tx, { organisationId, userId, phoneNumber, cause }),
    );
    expect((await app.ask("GET", "/v1/limits/breaches", { token: owner.token })).json()).toMatchObject([
      { limit, isMembers, ended: true, userId, phoneNumber, detail: expect.stringContaining(words) },
    ]);
    const enqueue = async (_tx: unknown, _job: unknown, data: object) => {
      const breach = job.schema.parse(data);
      if (breach.userId === userId) await job.run(breach, { enqueue: async () => {} });
    };
    await orderBreachMailsJob(app.database, job).run({}, { enqueue });
    const mail = server.received.find(({ to }) => to === owner.email)?.text;
    for (const part of ["Subject: Leadline ended a call over a limit", "Robin Tester", phoneNumber])
      expect(mail).toContain(part);
  },
);

test("a call that is refused for other reasons isn't a breach", async () => {
  const owner = await newRep(app);
  await app.ask("POST", "/v1/do-not-call", { token: owner.token, body: { phoneNumber: "+12025550100" } });
  expect((await call(owner, "+12025550100")).json().type).toBe("/api/docs#do-not-call");
  expect((await app.ask("GET", "/v1/limits/breaches", { token: owner.token })).json()).toEqual([]);
});
