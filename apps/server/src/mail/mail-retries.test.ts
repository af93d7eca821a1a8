import { randomUUID } from "node:crypto";
import { afterAll, describe, expect, test } from "vitest";
import { mailInvitationJob } from "../features/members/mail-invitation.ts";
import { mailPasswordResetJob } from "../features/users/password-reset/mail-password-reset.ts";
import { createLog } from "../log.ts";
import { startMailServer } from "../testing/mail-server.ts";
import { registerPerson, testApp } from "../testing/test-app.ts";
import { newRep } from "../testing/test-calls.ts";
import { createMailer } from "./create-mailer.ts";
import { createMailedLinks } from "./mailed-links.ts";

const app = testApp();
const closers: (() => unknown)[] = [];
afterAll(async () => {
  for (const close of closers) await close();
});
const noJobs = { enqueue: async () => {} };

/** Mail jobs before and after the mail server recovers. */
async function outage() {
  const links = createMailedLinks(() => Buffer.alloc(32, 7), Promise.resolve("https://phone.example.com"));
  const gone = await startMailServer();
  await gone.close();
  const server = await startMailServer();
  const [during, after] = [gone.url, server.url].map((smtpUrl) => {
    const mailer = createMailer({ smtpUrl, mailFrom: "phone@example.com", dataDir: "" }, createLog("silent"));
    const deps = { database: app.database, mailer, links };
    closers.push(() => mailer.close());
    return { invitation: mailInvitationJob(deps), reset: mailPasswordResetJob(deps) };
  });
  closers.push(() => server.close());
  if (during === undefined || after === undefined) throw new Error("two were made");
  return { during, after, received: server.received };
}

describe("while the mail server is down", () => {
  test("mails are retried for hours", async () => {
    const { during } = await outage();
    for (const { retries = 0, firstWaitMs = 0 } of [during.invitation, during.reset]) {
      // pg-boss's minimum delays: half of what doubles each time, up to an hour.
      const waits = Array.from({ length: retries }, (_, retry) => Math.min(3_600_000, (firstWaitMs * 2 ** retry) / 2));
      expect(waits.reduce((sum, wait) => sum + wait, 0)).toBeGreaterThan(2 * 3_600_000);
    }
  });

  test("an invitation says that its mail couldn't be sent, until it is", async () => {
    const rep = await newRep(app);
    const email = `${randomUUID()}@example.com`;
    const body = { email, role: "member" };
    const invited = (await app.ask("POST", "/v1/invitations", { token: rep.token, body })).json();
    await app.mailTo(email);
    const { during, after, received } = await outage();
    const data = { invitationId: invited.id };
    const listed = async () => (await app.ask("GET", "/v1/invitations", { token: rep.token })).json();
    await expect(during.invitation.run(data, noJobs)).rejects.toThrow(/ECONNREFUSED/);
    expect(await listed()).toMatchObject([{ email, mailFailed: true }]);
    await after.invitation.run(data, noJobs);
    expect(await listed()).toMatchObject([{ email, mailFailed: false }]);
    expect(received).toMatchObject([{ to: email }]);
  });

  test("a password link is valid for an hour from when its mail is sent", async () => {
    const person = await registerPerson(app);
    const { during, after, received } = await outage();
    const data = { resetId: randomUUID(), email: person.email };
    await expect(during.reset.run(data, noJobs)).rejects.toThrow(/ECONNREFUSED/);
    const scope = { userId: person.id };
    const expire = { expires_at: new Date(Date.now() - 1_000).toISOString() };
    await app.database.withTransaction(scope, (tx) => tx.updateTable("password_resets").set(expire).execute());
    await after.reset.run(data, noJobs);
    const row = await app.database.withTransaction(scope, (tx) =>
      tx.selectFrom("password_resets").select("expires_at").executeTakeFirstOrThrow(),
    );
    expect(Date.parse(row.expires_at) - Date.now()).toBeGreaterThan(50 * 60_000);
    expect(received).toMatchObject([{ to: person.email }]);
  });
});
