import { randomUUID } from "node:crypto";
import { deliver, type PaymentLab } from "@leadline/adapter-kit/payment-conformance";
import type { PaymentModule, PaymentProvider } from "@leadline/adapter-kit/payment";
import type { TopUp } from "@leadline/contract/top-ups";
import { unzipSync } from "fflate";
import { sql } from "kysely";
import { extractText } from "unpdf";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { paymentLabs } from "../../testing/payment-labs.ts";
import {
  joinOrganisation,
  makeOrganisation,
  registerPerson,
  testApp,
  type TestPerson,
} from "../../testing/test-app.ts";
import { includedTax } from "./issue-receipt.ts";

let lab: PaymentLab;
let provider: PaymentProvider;
const module: PaymentModule = {
  id: `lab-${randomUUID()}`,
  name: "Lab",
  settings: z.object({}),
  open: (_settings, { onReport }) => (provider = { ...lab.open(onReport), movesMoney: true }),
};
beforeAll(async () => {
  lab = await paymentLabs.sandbox();
});
const app = testApp(undefined, undefined, [module]);
afterAll(() => lab.close());

async function newOwner() {
  const person = await registerPerson(app);
  const { id, name } = await makeOrganisation(app, person);
  return { ...person, organisationId: id, organisationName: name };
}
type Owner = Awaited<ReturnType<typeof newOwner>>;
const start = async ({ token }: TestPerson): Promise<TopUp> => {
  const headers = { "idempotency-key": randomUUID() };
  return (await app.ask("POST", "/v1/billing/top-ups", { token, body: { amountMicros: 119_000_000 }, headers })).json();
};
const pay = (topUp: TopUp) =>
  lab.act({ id: topUp.checkoutUrl?.split("/").at(-1) ?? "", url: topUp.checkoutUrl ?? "" }, "pay");
async function paid(owner: Owner): Promise<TopUp> {
  const topUp = await start(owner);
  await pay(topUp);
  return (await app.ask("GET", `/v1/billing/top-ups/${topUp.id}`, { token: owner.token })).json();
}
async function textOf(answer: { rawPayload: Buffer; headers: Record<string, unknown> }): Promise<string> {
  expect(answer.headers["content-type"]).toBe("application/pdf");
  return (await extractText(new Uint8Array(answer.rawPayload), { mergePages: true })).text.replaceAll(/\s+/g, " ");
}
const receiptOf = (owner: Owner, { id }: TopUp) =>
  app.ask("GET", `/v1/billing/top-ups/${id}/receipt`, { token: owner.token });

describe("a receipt", () => {
  test("shows seller, buyer with address and tax number, the amount and the included tax", async () => {
    const owner = await newOwner();
    const body = { name: "Müller & Söhne", address: "Hauptstraße 1\n10115 Berlin", taxNumber: "DE123456789" };
    const saved = await app.ask("PUT", "/v1/billing/details", { token: owner.token, body });
    expect([saved.statusCode, saved.json()]).toEqual([200, body]);
    expect((await app.ask("GET", "/v1/billing/details", { token: owner.token })).json()).toEqual(body);
    const topUp = await paid(owner);
    const number = `${owner.organisationId.slice(0, 8).toUpperCase()}-0001`;
    expect(topUp.receiptNumber).toBe(number);
    const answer = await receiptOf(owner, topUp);
    expect(answer.headers["content-disposition"]).toContain(`receipt-${number}.pdf`);
    const text = await textOf(answer);
    for (const words of [
      `Number ${number}`,
      "Łódź Phones Ltd 1 Main Street",
      "Müller & Söhne Hauptstraße 1 10115 Berlin Tax number: DE123456789",
      "$100.00",
      "VAT 19%",
      "$19.00",
      "$119.00",
      "with Sandbox card.",
    ])
      expect(text).toContain(words);
  });

  test("is made out to the organisation if it has no details, and never changes", async () => {
    const owner = await newOwner();
    const topUp = await paid(owner);
    await app.ask("PUT", "/v1/billing/details", {
      token: owner.token,
      body: { name: "Renamed", address: "", taxNumber: "" },
    });
    const text = await textOf(await receiptOf(owner, topUp));
    // A name that is too long for its column wraps.
    expect(text.replaceAll(" ", "")).toContain(owner.organisationName.replaceAll(" ", ""));
    expect(text).not.toContain("Renamed");
    const next = await textOf(await receiptOf(owner, await paid(owner)));
    expect(next).toContain("Renamed");
    expect(next).not.toContain("no money moved");
  });

  test("for a sandbox payment says that no money moved", async () => {
    provider.movesMoney = false;
    const owner = await newOwner();
    const topUp = await paid(owner).finally(() => (provider.movesMoney = true));
    expect(await textOf(await receiptOf(owner, topUp))).toContain("Sandbox payment: no money moved.");
  });

  test("doesn't exist before the payment, and only one does however often the payment is reported", async () => {
    const owner = await newOwner();
    lab.takeReports();
    const topUp = await start(owner);
    expect([topUp.receiptNumber, (await receiptOf(owner, topUp)).statusCode]).toEqual([null, 404]);
    await pay(topUp);
    const reports = lab.takeReports();
    await Promise.all([...reports, ...reports].map((report) => deliver(provider, report)));
    const { topUps } = (await app.ask("GET", "/v1/billing/top-ups", { token: owner.token })).json();
    expect(topUps).toMatchObject([{ receiptNumber: expect.stringMatching(/-0001$/) }]);
  });

  test("gets the next number, without gaps, when several are paid at once", async () => {
    const owner = await newOwner();
    await Promise.all(Array.from({ length: 5 }, () => paid(owner)));
    const { topUps } = (await app.ask("GET", "/v1/billing/top-ups", { token: owner.token })).json();
    const numbers = topUps.map(({ receiptNumber }: TopUp) => receiptNumber?.slice(-4));
    expect(numbers.toSorted()).toEqual(["0001", "0002", "0003", "0004", "0005"]);
  });
});

test("all receipts are downloaded as a ZIP file, each as it was issued, by admins and only of their own organisation", async () => {
  const [owner, other] = [await newOwner(), await newOwner()];
  const all = ({ token }: TestPerson) => app.ask("GET", "/v1/billing/receipts", { token });
  await paid(other);
  const none = await all(owner);
  expect([none.statusCode, none.json().detail]).toEqual([
    404,
    "There are no receipts. A top-up has one once it is paid.",
  ]);
  const topUps = [await paid(owner), await paid(owner)];
  const answer = await all(owner);
  expect(answer.headers["content-type"]).toBe("application/zip");
  const files = unzipSync(answer.rawPayload);
  expect(Object.keys(files)).toEqual(topUps.map(({ receiptNumber }) => `receipt-${receiptNumber}.pdf`));
  for (const [name, bytes] of Object.entries(files)) {
    const { text } = await extractText(bytes, { mergePages: true });
    expect(text).toContain(`Number ${name.slice("receipt-".length, -".pdf".length)}`);
    expect(text).toContain("$119.00");
  }
  const member = await registerPerson(app);
  await joinOrganisation(app, member, { organisationId: owner.organisationId, role: "member" });
  expect((await all(member)).statusCode).toBe(403);
});

test("included tax is whole cents of the gross amount", () => {
  expect([includedTax(119_000_000, 19), includedTax(5_000_000, 7.7), includedTax(5_000_000, 0)]).toEqual([
    19_000_000, 360_000, 0,
  ]);
});

test("a month's statement is a PDF with each entry, and of a shorter period if the month is too long for one", async () => {
  const owner = await newOwner();
  const { organisationId, token } = owner;
  const month = (await app.ask("GET", "/v1/billing/summary", { token })).json().month;
  const read = (days = "") => app.ask("GET", `/v1/billing/entries/pdf?month=${month}${days}`, { token });
  expect(await textOf(await read())).toContain("No entries.");
  const post = (from: number, to: number) =>
    app.database.withTransaction({ organisationId }, (tx) =>
      sql`select ledger_post(${organisationId}, 'test ' || n, 'top-up', 'payments', 'balance', 1234567)
        from generate_series(${from}::integer, ${to}::integer - 1) as n`.execute(tx),
    );
  await post(0, 60);
  const text = await textOf(await read());
  expect(text.match(/\$1\.234567/g)?.length).toBeGreaterThanOrEqual(60);
  expect(text).toContain("$74.07402");
  await post(60, 2_001);
  expect((await read()).json()).toMatchObject({
    type: "/api/docs#statement-too-long",
    detail: expect.stringContaining("Choose a shorter one"),
  });
  const shorter = await read("&to=2026-01-31");
  expect(shorter.headers["content-disposition"]).toContain(`statement-${month}-to-2026-01-31.pdf`);
  expect(await textOf(shorter)).toContain("No entries.");
});
