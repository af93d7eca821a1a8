import { expect, test, vi } from "vitest";
import { newRep, testAppWithCalls } from "../../testing/test-calls.ts";
import { ownerPool } from "../../testing/test-database.ts";

const app = testAppWithCalls();
const owner = ownerPool();

test("an organisation’s attempts to call, all waiting for its limits, leave another’s writes alone", async () => {
  const [calling, writing] = [await newRep(app), await newRep(app)];
  const holder = await owner.connect();
  const limits = `limits:${calling.organisationId}`;
  await holder.query("select pg_advisory_lock(hashtextextended($1, 0))", [limits]);
  const attempts = Array.from({ length: 40 }, () =>
    app.ask("POST", "/v1/calls", { token: calling.token, body: { phoneNumber: "+12025550100" } }),
  );
  const waiting = "select count(*)::int as waiting from pg_locks where locktype = 'advisory' and not granted";
  await vi.waitFor(async () => expect((await owner.query(waiting)).rows[0].waiting).toBeGreaterThan(0));
  const lead = { firstName: "Grace", lastName: "Hopper", email: "grace@example.com", phone: "+1 202 555 0199" };
  const written = await app.ask("POST", "/v1/leads", { token: writing.token, body: lead });
  await holder.query("select pg_advisory_unlock(hashtextextended($1, 0))", [limits]);
  holder.release();
  expect(written.statusCode).toBe(201);
  const statuses = (await Promise.all(attempts)).map(({ statusCode }) => statusCode);
  expect(statuses.filter((status) => status === 201)).toHaveLength(1);
});
