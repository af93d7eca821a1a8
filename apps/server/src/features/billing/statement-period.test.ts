import type { StatementEntry } from "@leadline/contract/billing";
import { extractText } from "unpdf";
import { expect, test } from "vitest";
import { makeOrganisation, registerPerson, testApp } from "../../testing/test-app.ts";

const app = testApp();

/** An owner whose organisation's ledger has an entry at each of these times. */
async function newOwner(timeZone: string, times: readonly string[]) {
  const person = await registerPerson(app);
  const { token } = person;
  const { id: organisationId } = await makeOrganisation(app, person);
  await app.ask("PUT", `/v1/organisations/${organisationId}`, { token, body: { timeZone } });
  const way = { from_account: "metered", to_account: "costs", amount: 1, from_balance: 0, to_balance: 0 } as const;
  const rows = times.map((at) => ({ organisation_id: organisationId, key: at, kind: "call", posted_at: at, ...way }));
  await app.database.withTransaction({ organisationId }, (tx) =>
    tx.insertInto("ledger_transfers").values(rows).execute(),
  );
  return { token, timeZone };
}

/** The times of a period's entries: in UTC in the list, and in the organisation's time zone in the CSV and the PDF. */
async function timesIn({ token, timeZone }: { token: string; timeZone: string }, period: string) {
  const ask = (path: string) => app.ask("GET", `/v1/billing/entries${path}?${period}`, { token });
  const { entries }: { entries: StatementEntry[] } = (await ask("")).json();
  const listed = entries.map(({ postedAt }) => postedAt.slice(0, 19).replace("T", " "));
  const [head, ...lines] = (await ask("/export")).body.trim().split("\n");
  expect(head).toContain(`"Time (${timeZone})"`);
  const written = lines.map((line) => line.slice(1, 20));
  const pdf = await extractText(new Uint8Array((await ask("/pdf")).rawPayload), { mergePages: true });
  expect(pdf.text).toContain(`times in ${timeZone}`);
  expect(pdf.text.match(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g) ?? []).toEqual(written);
  return { listed: listed.toReversed(), written: written.toReversed() };
}

test.each([
  // Summer time begins on the 8th.
  { timeZone: "America/New_York", begins: "2026-03-01 05:00:00", ends: "2026-04-01 03:59:59" },
  { timeZone: "Asia/Tokyo", begins: "2026-02-28 15:00:00", ends: "2026-03-31 14:59:59" },
])("a month's statement begins and ends at midnight in $timeZone", async ({ timeZone, begins, ends }) => {
  const next = (time: string, bySeconds: number) =>
    new Date(Date.parse(`${time.replace(" ", "T")}Z`) + bySeconds * 1_000).toISOString();
  const owner = await newOwner(timeZone, [next(begins, -1), next(begins, 0), next(ends, 0), next(ends, 1)]);
  expect(await timesIn(owner, "month=2026-03")).toEqual({
    listed: [begins, ends],
    written: ["2026-03-01 00:00:00", "2026-03-31 23:59:59"],
  });
});

test("a statement from one day to another has both days in full, in the organisation's time zone", async () => {
  const times = ["2026-03-05T04:59:59Z", "2026-03-05T05:00:00Z", "2026-03-07T04:59:59Z", "2026-03-07T05:00:00Z"];
  const owner = await newOwner("America/New_York", times);
  const listed = times.map((time) => time.slice(0, 19).replace("T", " "));
  const written = ["2026-03-04 23:59:59", "2026-03-05 00:00:00", "2026-03-06 23:59:59", "2026-03-07 00:00:00"];
  const between = (from: number, to?: number) => ({ listed: listed.slice(from, to), written: written.slice(from, to) });
  expect(await timesIn(owner, "month=2026-03&from=2026-03-05&to=2026-03-06")).toEqual(between(1, 3));
  expect(await timesIn(owner, "month=2026-03&from=2026-03-05")).toEqual(between(1));
  expect(await timesIn(owner, "month=2026-03&to=2026-03-06")).toEqual(between(0, 3));
  expect(await timesIn(owner, "month=2026-03&from=2026-03-06&to=2026-03-06")).toEqual(between(2, 3));
});
