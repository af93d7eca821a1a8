import { createHash } from "node:crypto";
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { flatRate } from "../testing/flat-rate.ts";
import { asSuperuser, ownDatabase } from "../testing/own-database.ts";
import { signIn } from "../testing/test-app.ts";
import { testAppWithCalls } from "../testing/test-calls.ts";
import { migrate } from "./migrate.ts";
import released from "./migrations/released.json" with { type: "json" };
import data from "./testing/data-of-0-1-0.json" with { type: "json" };
import { readAsOf010 } from "./testing/read-as-of-0-1-0.ts";

const stored = await ownDatabase();
await migrate(stored.url, "0001-first-schema");
/** In millionths of a dollar; it becomes the carrier's first rate. */
const price = 13_500;
await fill({
  ...data.rows,
  carriers: data.rows.carriers.map((carrier) => ({ ...carrier, price_per_minute: price })),
  calls: data.rows.calls.map((call) => ({ ...call, price_per_minute_micros: price })),
});
await migrate(stored.url);
const app = testAppWithCalls(undefined, { databaseUrl: stored.url });
const [message] = data.rows.voicemail_messages;
writeFileSync(app.store.pathOf(message?.stored_name ?? ""), Buffer.alloc(Number(data.read.at(-1))));
afterAll(stored.drop);

test("a 0.1.0 database keeps all of its data", async () => {
  const { owner, ids } = data;
  const signedIn = await signIn(app, owner);
  const read = await readAsOf010(app, { owner: { ...owner, ...signedIn }, ids });
  // Later versions may return additional fields.
  expect(JSON.parse(JSON.stringify(read))).toMatchObject(withoutPrices(data.read));
});

test("the price of a carrier, and of a live call, becomes the rate of all numbers", async () => {
  const { owner, ids } = data;
  const { token } = await signIn(app, owner);
  const { rates } = (await app.ask("GET", `/v1/carriers/${ids.carrier}/rates`, { token })).json();
  expect(rates).toMatchObject([{ prefix: "", ...flatRate(price) }]);
  expect((await app.ask("GET", `/v1/calls/${ids.callWithMessage}`, { token })).json().rate).toEqual(flatRate(price));
});

const withoutPrices = (read: object): object =>
  JSON.parse(JSON.stringify(read), (key, value) => (key === "pricePerMinute" ? undefined : value));

test.each(Object.entries(released))("%s is unchanged since its release", (name, sha256) => {
  const folder = join(import.meta.dirname, "migrations");
  const files = globSync([`${name}.ts`, `${name.replace(/^\d+-/, "")}/*.ts`], { cwd: folder }).toSorted();
  const hash = createHash("sha256");
  for (const file of files) hash.update(readFileSync(join(folder, file)));
  expect(hash.digest("hex"), "a migration that is released never changes: add another").toBe(sha256);
});

/** Inserts rows as they are, ignoring references. */
async function fill(rows: Record<string, unknown[]>): Promise<void> {
  const inserts = Object.entries(rows).map(([table, some]) => {
    const json = JSON.stringify(some).replaceAll("'", "''");
    const columns = Object.keys(some[0] ?? {}).join(", ");
    return `insert into ${table} (${columns}) overriding system value
      select ${columns} from json_populate_recordset(null::${table}, '${json}')`;
  });
  await asSuperuser(["set session_replication_role = replica", ...inserts], stored.name);
}
