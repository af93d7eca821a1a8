import { expect, test, vi } from "vitest";
import { dial, newRep, testAppWithCalls, waitForStatus } from "../../../testing/test-calls.ts";
import { ownerPool } from "../../../testing/test-database.ts";

const app = testAppWithCalls();
const owner = ownerPool();

test("one organisation's call attempts, all waiting for its limits, don't delay another's writes", async () => {
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

test("a call hangs up even while its organisation's other requests use all of its database turns", async () => {
  const rep = await newRep(app);
  const callSid = await dial(app, rep, "+12025550100");
  await waitForStatus(app, rep, { callSid, status: "in-progress" });
  const release = Promise.withResolvers<void>();
  let begun = 0;
  const others = Array.from({ length: 20 }, () =>
    app.database.withTransaction({ organisationId: rep.organisationId }, async () => {
      begun += 1;
      await release.promise;
    }),
  );
  await vi.waitFor(() => expect(begun).toBe(8));
  const hungUp = await app.ask("POST", `/v1/calls/${callSid}/hang-up`, { token: rep.token });
  release.resolve();
  await Promise.allSettled(others);
  expect(hungUp.statusCode).toBe(200);
});
