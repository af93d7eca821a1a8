import { afterAll, beforeAll, expect, test } from "vitest";
import { createLog } from "../../../log.ts";
import { createMailer, type Mailer } from "../../../mail/create-mailer.ts";
import { createMailedLinks } from "../../../mail/mailed-links.ts";
import { leadlineChanges } from "../../../testing/leadline-changes.ts";
import { startMailServer } from "../../../testing/mail-server.ts";
import { joinOrganisation, registerPerson, testApp } from "../../../testing/test-app.ts";
import { connectIntegration, giveAccess, newAdmin, syncToTheEnd } from "../../../testing/test-integrations.ts";
import { nameOf } from "../integration-deps.ts";
import { mailEndedAccessJob, orderEndedAccessMailsJob } from "./mail-ended-access.ts";

const app = testApp();
const log = createLog("fatal");
let server: Awaited<ReturnType<typeof startMailServer>>;
let mailer: Mailer;
beforeAll(async () => {
  server = await startMailServer();
  mailer = createMailer({ smtpUrl: server.url, mailFrom: "Leadline <phone@example.com>", dataDir: "" }, log);
});
afterAll(async () => {
  mailer.close();
  await server.close();
});

test("mails each owner once when a CRM's access ends, and again the next time, unless it is reconnected by then", async () => {
  const links = createMailedLinks(() => Buffer.alloc(32), Promise.resolve("https://phone.example.com"));
  const nameOfCrm = (service: string) => nameOf(app.crm.openDeps(), { service });
  const job = mailEndedAccessJob({ database: app.database, mailer, links, nameOfCrm });
  const owner = await newAdmin(app);
  const [second, member] = [await registerPerson(app), await registerPerson(app)];
  await joinOrganisation(app, second, { organisationId: owner.organisationId, role: "owner" });
  await joinOrganisation(app, member, { organisationId: owner.organisationId, role: "admin" });
  const id = await connectIntegration(app, owner);
  // Suites share a database, so ignore other integrations.
  const order = async () => {
    const ordered: Parameters<typeof job.run>[0][] = [];
    const enqueue = async (_tx: unknown, _job: unknown, data: object) => void ordered.push(job.schema.parse(data));
    await orderEndedAccessMailsJob(app.database, job).run({}, { enqueue });
    return ordered.filter(({ integrationId }) => integrationId === id);
  };
  const send = async (ordered: Awaited<ReturnType<typeof order>>) => {
    for (const data of ordered) await job.run(data, { enqueue: async () => {} });
  };
  expect(await order()).toEqual([]);
  app.crm.sandbox.endAllGrants();
  await syncToTheEnd(app, owner, id);
  const ordered = await order();
  expect(ordered.map(({ userId }) => userId).toSorted()).toEqual([owner.id, second.id].toSorted());
  expect(await order()).toEqual([]);
  await send(ordered);
  const to = (email: string) => server.received.filter((mail) => mail.to === email);
  expect([owner, second, member].map(({ email }) => to(email).length)).toEqual([1, 1, 0]);
  const text = to(owner.email)[0]?.text;
  for (const words of [
    "Subject: Reconnect Salesforce to Leadline",
    "Harbour CRM",
    "https://phone.example.com/integrations",
  ])
    expect(text).toContain(words);

  await giveAccess(app, owner, id);
  expect(await order()).toEqual([]);
  app.crm.sandbox.endAllGrants();
  await syncToTheEnd(app, owner, id);
  const again = await order();
  expect(again).toHaveLength(2);
  await giveAccess(app, owner, id);
  await send(again);
  expect(to(owner.email)).toHaveLength(1);
  const ended = (await leadlineChanges(app, owner)).filter(({ action }) => action === "integration.access-ended");
  expect(ended.map(({ changes }) => changes[0]?.subject)).toEqual(["Harbour CRM", "Harbour CRM"]);
});
