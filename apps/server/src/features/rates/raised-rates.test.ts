import { carrier as sandbox } from "@leadline/carrier-sandbox/server";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createLog } from "../../log.ts";
import { createMailer, type Mailer } from "../../mail/create-mailer.ts";
import { createMailedLinks } from "../../mail/mailed-links.ts";
import { startMailServer } from "../../testing/mail-server.ts";
import { sandboxLine } from "../../testing/sandbox-line.ts";
import { joinOrganisation, registerPerson } from "../../testing/test-app.ts";
import { newRep, testAppWithCalls } from "../../testing/test-calls.ts";
import { createAlertOwners, mailOwnerAlertJob } from "../members/alert-owners.ts";
import { refreshRate } from "./refresh-rate.ts";

const { kind, line } = sandboxLine();
const app = testAppWithCalls([sandbox, line]);
let server: Awaited<ReturnType<typeof startMailServer>>;
let mailer: Mailer;
beforeAll(async () => {
  server = await startMailServer();
  mailer = createMailer(
    { smtpUrl: server.url, mailFrom: "Leadline <phone@example.com>", dataDir: "" },
    createLog("fatal"),
  );
});
afterAll(async () => {
  mailer.close();
  await server.close();
});

/** Two owners, and a carrier whose API lists these prices of one country. Returns the mails of each reading. */
async function newReader() {
  const owner = await newRep(app);
  const second = await registerPerson(app);
  const { organisationId } = owner;
  await joinOrganisation(app, second, { organisationId, role: "owner" });
  const carrier = { kind, label: "Atlantic", settings: { line: "1" } };
  const { id } = (await app.ask("POST", "/v1/carriers", { token: owner.token, body: carrier })).json();
  const links = createMailedLinks(() => Buffer.alloc(32), Promise.resolve("https://phone.example.com"));
  const job = mailOwnerAlertJob({ database: app.database, mailer, links });
  const read = async (prices: Record<string, number>) => {
    await app.database.withTransaction({ organisationId }, (tx) =>
      tx.deleteFrom("carrier_rate_readings").where("organisation_id", "=", organisationId).execute(),
    );
    const ordered: object[] = [];
    const jobs = { enqueue: async (_tx: unknown, _job: unknown, data: object) => void ordered.push(data) };
    const rates = Object.entries(prices).map(([prefix, micros]) => ({ prefix, micros, description: "As read" }));
    const api = {
      hasApi: async () => true,
      read: async () => ({
        of: "country" as const,
        rates: rates.map((rate) => ({ ...rate, currency: "USD", incrementSeconds: 60 })),
      }),
    };
    const deps = { database: app.database, log: createLog("silent"), api, alertOwners: createAlertOwners(jobs, job) };
    const call = { organisationId, phoneNumber: "+442079460123", carrier: kind, connection: { id } };
    await refreshRate(deps, call);
    const before = server.received.length;
    for (const data of ordered) await job.run(job.schema.parse(data), jobs);
    return server.received.slice(before);
  };
  return { emails: [owner.email, second.email], read };
}

test("a reading in which prices have gone up mails each owner once, with the carrier and what went up", async () => {
  const { emails, read } = await newReader();
  expect(await read({ 44: 10_000, 447: 20_000, 448: 30_000 })).toEqual([]);
  expect(await read({ 44: 10_000, 447: 15_000, 448: 30_000 })).toEqual([]);
  const mails = await read({ 44: 12_000, 447: 25_000, 448: 30_000, 4470: 90_000 });
  expect(mails.map(({ to }) => to).toSorted()).toEqual(emails.toSorted());
  for (const { text } of mails) {
    for (const words of [
      "Atlantic",
      "charges more than when Leadline last read its prices",
      "+447 (As read): $0.025 a minute, before $0.015 a minute.",
      "+44 (As read): $0.012 a minute, before $0.01 a minute.",
      "/settings/carriers",
    ])
      expect(text).toContain(words);
    for (const same of ["+448", "+4470", "can now spend more"]) expect(text).not.toContain(same);
  }
  expect(await read({ 44: 12_000, 447: 25_000, 448: 30_000, 4470: 90_000 })).toEqual([]);
});
