import type { Lead } from "@leadline/contract/leads";
import { beforeAll, describe, expect, test } from "vitest";
import { makeOrganisation, registerPerson, testApp, type TestPerson } from "../../../testing/test-app.ts";
import { ownerPool } from "../../../testing/test-database.ts";
import { findLeadPositions } from "./lead-pages.table.ts";

const app = testApp();
const owner = ownerPool();

async function newRep() {
  const person = await registerPerson(app);
  const { id: organisationId } = await makeOrganisation(app, person);
  return { ...person, organisationId };
}
const list = async (rep: TestPerson, query: string): Promise<Lead[]> => {
  const answer = await app.ask("GET", `/v1/leads?${query}`, { token: rep.token });
  expect(answer.statusCode).toBe(200);
  return answer.json();
};

describe("a search among many leads", () => {
  let rep: Awaited<ReturnType<typeof newRep>>;
  beforeAll(async () => {
    rep = await newRep();
    const other = await newRep();
    // Rare terms are older than the first leads walked, a common one is everywhere, and "quagga" is common only in
    // another organisation.
    await fill(rep.organisationId, {
      count: 9_000,
      lastName: "Common",
      first: String.raw`case when i % 300 = 0 then 'Rare' when i = 7 then '100%_\x' when i = 8 then '東京' else 'Plain' end`,
    });
    await fill(other.organisationId, { count: 3_000, lastName: "Quagga", first: "'Plain'" });
  });
  const fill = async (organisationId: string, rows: { count: number; lastName: string; first: string }) => {
    await owner.query("begin");
    await owner.query("select set_config('app.organisation_id', $1, true)", [organisationId]);
    await owner.query(
      `insert into leads (organisation_id, first_name, last_name, email, phone)
       select $1::uuid, ${rows.first}, $2, 'n' || i || case when i < 1200 then '@early.example' else '@x.example' end, '' from generate_series(1, $3::int) i`,
      [organisationId, rows.lastName, rows.count],
    );
    await owner.query("commit");
  };

  test("finds common, rare and absent terms, all in order and without duplicates", async () => {
    expect(await list(rep, "search=common&limit=200")).toHaveLength(200);
    expect(await list(rep, "search=quagga")).toEqual([]);
    const oldest = await list(rep, "search=n300%40&limit=200");
    expect(oldest.map((lead) => lead.email)).toEqual(["n300@early.example"]);
    const rare = await list(rep, "search=rare&limit=200");
    expect(rare).toHaveLength(30);
    expect(rare.map((lead) => lead.email)).toEqual(
      Array.from(
        { length: 30 },
        (_, index) =>
          `n${9_000 - index * 300}${index === 29 || index === 28 || index === 27 ? "@early.example" : "@x.example"}`,
      ),
    );
  });

  test.each([
    ["r c", 30],
    [String.raw`100%_\x`, 1],
    [String.raw`100\%`, 0],
    ["東京", 1],
    ["n7@early 100", 1],
  ])("finds by %s every lead that contains it, even if none is near", async (search, count) => {
    expect(await list(rep, `search=${encodeURIComponent(search)}&limit=200`)).toHaveLength(count);
  });

  test("finds a term in more than a thousand leads, none of them near", async () => {
    const first = await list(rep, "search=early.ex&limit=2");
    expect(first.map((lead) => lead.email)).toEqual(["n1199@early.example", "n1198@early.example"]);
    const oldest = await list(rep, "search=early.ex&limit=1&sort=oldest");
    expect(oldest.map((lead) => lead.email)).toEqual(["n1@early.example"]);
  });

  test("finds the newest leads with a term that one lead in many contains, wherever they are in the list", async () => {
    const long = await newRep();
    // Four ranges of positions with a thousand leads each; two of the newest thousand contain the term, two of the
    // next.
    const holding = [3900, 3000, 2700, 2100, 1200, 300];
    await owner.query("begin");
    await owner.query("select set_config('app.organisation_id', $1, true)", [long.organisationId]);
    await owner.query(
      `insert into leads (organisation_id, position, first_name, last_name, email, phone) overriding system value
       select $1::uuid, 1000000 + (i / 1000) * 65536 + i % 1000, case when i = any ($2) then 'Seldom' else 'Plain' end, 'Old', 'n' || i || '@x.example', ''
       from generate_series(0, 3999) i`,
      [long.organisationId, holding],
    );
    await owner.query("commit");
    const newest = holding.map((number) => `n${number}@x.example`);
    for (const limit of [1, 2, 3, 50]) {
      const found = await list(long, `search=seldom&limit=${limit}`);
      expect(found.map((lead) => lead.email)).toEqual(newest.slice(0, limit));
    }
    const oldest = await list(long, "search=seldom&limit=2&sort=oldest");
    expect(oldest.map((lead) => lead.email)).toEqual(newest.toReversed().slice(0, 2));
  });

  test("sees only its own organisation through the index, which row-level security doesn't restrict", async () => {
    const count = (scope: { organisationId?: string }) =>
      app.database.withTransaction(scope, async (tx) => {
        const found = await findLeadPositions(tx, ["%quagga%"], 5_000);
        return found?.length;
      });
    expect(await count({})).toBe(0);
    expect(await count({ organisationId: rep.organisationId })).toBe(0);
    const { rows } = await owner.query(
      `select rolsuper, rolbypassrls, rolcanlogin from pg_roles r join pg_proc p on p.proowner = r.oid where proname = 'lead_positions'`,
    );
    expect(rows).toEqual([{ rolsuper: false, rolbypassrls: false, rolcanlogin: false }]);
    const direct = app.database.withTransaction({ organisationId: rep.organisationId }, (tx) =>
      tx.selectFrom("leads").select("id").where("organisation_id", "!=", rep.organisationId).execute(),
    );
    expect(await direct).toEqual([]);
    expect((await owner.query("select id from leads limit 1")).rows).toEqual([]);
  });
});
