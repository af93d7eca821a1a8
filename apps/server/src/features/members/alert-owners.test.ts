import { randomUUID } from "node:crypto";
import { carrier as sandbox } from "@leadline/carrier-sandbox/server";
import { payment } from "@leadline/payment-sandbox/server";
import { expect, test, vi } from "vitest";
import { flatRate } from "../../testing/flat-rate.ts";
import { sandboxLine } from "../../testing/sandbox-line.ts";
import { joinOrganisation, registerPerson } from "../../testing/test-app.ts";
import { newRep, testAppWithCalls } from "../../testing/test-calls.ts";

const { kind, line } = sandboxLine();
const app = testAppWithCalls([sandbox, line]);

/** An organisation with two owners, the first of whom makes the changes. */
async function newOrganisation() {
  const owner = await newRep(app);
  const second = await registerPerson(app);
  await joinOrganisation(app, second, { organisationId: owner.organisationId, role: "owner" });
  const { token, password: currentPassword } = owner;
  const put = async (path: `/${string}`, body: object, expected = 200) =>
    expect((await app.ask("PUT", path, { token, body: { ...body, currentPassword } })).statusCode).toBe(expected);
  /** Each owner's newest mail, once it contains the words. */
  const mailsWith = (words: string) =>
    Promise.all(
      [owner, second].map(({ email }) =>
        vi.waitFor(
          async () => {
            const { text } = await app.mailTo(email);
            if (!text.includes(words)) throw new Error(`no mail with “${words}” has come to ${email}`);
            return text;
          },
          { timeout: 20_000 },
        ),
      ),
    );
  return { owner, put, mailsWith };
}

test("raising a limit mails all owners what changed, who changed it, and from where", async () => {
  const { owner, put, mailsWith } = await newOrganisation();
  await put("/v1/limits", { dailySpend: 10_000_000, concurrentCalls: 2 });
  await put("/v1/limits", { dailySpend: 90_000_000, concurrentCalls: 1 });
  for (const text of await mailsWith("Spending per day: $10.00, now $90.00.")) {
    for (const words of [
      "Subject: Your organisation can now spend more",
      "Robin Tester",
      " from the address 10.",
      "/settings/limits",
    ])
      expect(text).toContain(words);
    expect(text).not.toContain("Calls at a time");
  }
  await put("/v1/limits", { allowedCountries: ["DE", "US"] });
  expect(await mailsWith("now DE, US.")).toHaveLength(2);
  const member = await registerPerson(app);
  const named = { firstName: "Maya", lastName: "Lindqvist" };
  expect((await app.ask("PUT", `/v1/users/${member.id}`, { token: member.token, body: named })).statusCode).toBe(200);
  await joinOrganisation(app, member, { organisationId: owner.organisationId, role: "member" });
  const ofMember = `/v1/limits/members/${member.id}` as const;
  await put(ofMember, { callMinutes: 1 });
  await put(ofMember, { callMinutes: null });
  for (const text of await mailsWith("Minutes per call: 1, now no limit."))
    expect(text).toContain("These are the limits of Maya Lindqvist alone.");
});

test("switching from prepaid to metered, and cheaper calls, mail all owners", async () => {
  const { owner, put, mailsWith } = await newOrganisation();
  await put("/v1/billing/mode", { mode: "prepaid" });
  await put("/v1/billing/mode", { mode: "metered" });
  for (const text of await mailsWith("Calls were prepaid and are now metered"))
    expect(text).toContain("/settings/billing");
  const carrier = { kind, label: "Line", settings: { line: "1" }, pricePerMinute: 20_000 };
  const { id } = (await app.ask("POST", "/v1/carriers", { token: owner.token, body: carrier })).json();
  await put(`/v1/carriers/${id}/rates`, { prefix: "49", effectiveFrom: "2000-01-01", ...flatRate(10_000) });
  for (const text of await mailsWith("numbers that start with +49 makes calls cheaper: $0.01 a minute"))
    for (const words of ["/settings/carriers", "Line"]) expect(text).toContain(words);
  await put(`/v1/carriers/${id}/margin`, { marginPercent: 20 });
  await put(`/v1/carriers/${id}/margin`, { marginPercent: 5 });
  expect(await mailsWith("was 20% and is now 5%")).toHaveLength(2);
});

test("turning on or raising automatic top-ups mails all owners", async () => {
  const { owner, put, mailsWith } = await newOrganisation();
  await app.database.withTransaction({ organisationId: owner.organisationId }, (tx) =>
    tx
      .insertInto("balance_settings")
      .values({
        organisation_id: owner.organisationId,
        saved_provider: payment.id,
        saved_method: randomUUID(),
        saved_method_name: "Visa ending in 4242",
      })
      .execute(),
  );
  const automatic = { belowMicros: 10_000_000, amountMicros: 50_000_000, monthLimitMicros: 200_000_000 };
  await put("/v1/billing/balance-settings", { automatic });
  const words = "adds $50.00 with Visa ending in 4242 when the balance falls below $10.00, up to $200.00 a month.";
  expect(await mailsWith(words)).toHaveLength(2);
  await put("/v1/billing/balance-settings", { automatic: { ...automatic, amountMicros: 90_000_000 } });
  expect(await mailsWith("adds $90.00")).toHaveLength(2);
});
