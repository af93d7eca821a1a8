import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, test } from "vitest";
import { makeOrganisation, registerPerson, testApp, type TestPerson } from "../../testing/test-app.ts";
import { openEventStream, type TestStream } from "../../testing/open-event-stream.ts";
import { ownerPool } from "../../testing/test-database.ts";
import { pruneLiveEvents } from "./live-events.table.ts";
import { publishLiveEvent } from "./publish-live-event.ts";

const app = testApp();
const owner = ownerPool();
let origin: string;
let person: TestPerson;
let organisationId: string;

beforeAll(async () => {
  origin = await app.http.listen({ port: 0, host: "127.0.0.1" });
  person = await registerPerson(app);
  organisationId = (await makeOrganisation(app, person)).id;
});

const open = (by: { token: string }, lastEventId?: string): Promise<TestStream> =>
  openEventStream(origin, { token: by.token, ...(lastEventId === undefined ? {} : { lastEventId }) });

const settings = {
  description: null,
  website: null,
  timeZone: "UTC",
  defaultCountry: "US",
  openingHours: [],
  callingHours: [],
  balance: 0,
};
const publish = (name: string, options: { to?: string; waitMs?: number } = {}) => {
  const id = options.to ?? organisationId;
  return app.database.withTransaction({ organisationId: id }, async (tx) => {
    await publishLiveEvent(tx, {
      organisationId: id,
      type: "organisation.updated",
      data: { ...settings, id, name },
    });
    if (options.waitMs !== undefined) await sleep(options.waitMs);
  });
};
const names = (stream: TestStream) =>
  stream.events.filter(({ data }) => data).map(({ data }) => JSON.parse(data ?? "").name);

describe("the stream", () => {
  test("starts with an id to resume from, then sends only its organisation's events", async () => {
    const stranger = await registerPerson(app);
    const foreign = await makeOrganisation(app, stranger);
    const stream = await open(person);
    await stream.until(() => stream.events.length === 1);
    expect(stream.events[0]).toEqual({ id: expect.stringMatching(/^\d+$/) });
    await publish("theirs", { to: foreign.id });
    await publish("ours");
    await stream.until(() => stream.events.length === 2);
    expect(stream.events[1]).toMatchObject({ event: "organisation.updated" });
    expect(names(stream)).toEqual(["ours"]);
    stream.close();
  });

  test("never sends an event that was rolled back", async () => {
    const stream = await open(person);
    await app.database
      .withTransaction({ organisationId }, async (tx) => {
        const data = { ...settings, id: organisationId, name: "undone" };
        await publishLiveEvent(tx, { organisationId, type: "organisation.updated", data });
        throw new Error("undo");
      })
      .catch(() => {});
    await publish("kept");
    await stream.until(() => names(stream).length === 1);
    expect(names(stream)).toEqual(["kept"]);
    stream.close();
  });

  test("resumes after Last-Event-ID with exactly the missed events", async () => {
    const first = await open(person);
    await first.until(() => first.events.length === 1);
    first.close();
    await publish("one");
    await publish("two");
    const second = await open(person, first.events[0]?.id);
    await publish("three");
    await second.until(() => names(second).length === 3);
    expect(names(second)).toEqual(["one", "two", "three"]);
    second.close();
  });

  test("loses and repeats nothing while transactions of different length commit at the same time", async () => {
    const stream = await open(person);
    await stream.until(() => stream.events.length === 1);
    const all = Array.from({ length: 30 }, (_, index) => publish(`n${index}`, { waitMs: index % 3 === 0 ? 8 : 0 }));
    // Disconnect and resume in the middle, from the last id received.
    await stream.until(() => names(stream).length >= 7);
    stream.close();
    const resumed = await open(person, stream.events.at(-1)?.id);
    await Promise.all(all);
    await resumed.until(() => names(stream).length + names(resumed).length >= 30);
    await sleep(50);
    const seen = [...names(stream), ...names(resumed)];
    expect(seen.toSorted()).toEqual(Array.from({ length: 30 }, (_, index) => `n${index}`).toSorted());
    const ids = [...stream.events, ...resumed.events].map(({ id }) => Number(id));
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
    resumed.close();
  });

  test("delivers an event that is too big for a notification", async () => {
    const stream = await open(person);
    await stream.until(() => stream.events.length === 1);
    await publish("long ".repeat(4_000));
    await stream.until(() => names(stream).length === 1);
    expect(names(stream)[0]).toHaveLength(20_000);
    stream.close();
  });

  test("sends reset if the missed events are no longer stored, or the id is in the future", async () => {
    const old = await open(person);
    await old.until(() => old.events.length === 1);
    old.close();
    await publish("will be pruned");
    await app.database.withTransaction({ system: "let an hour pass" }, async (tx) => {
      const created_at = new Date(Date.now() - 3_700_000).toISOString();
      await tx.updateTable("live_events").set({ created_at }).where("organisation_id", "=", organisationId).execute();
      await pruneLiveEvents(tx);
    });
    for (const lastEventId of [old.events[0]?.id, "999999999999"]) {
      const stream = await open(person, lastEventId);
      await stream.until(() => stream.events.length === 1);
      expect(stream.events[0]).toMatchObject({ event: "reset", data: "{}" });
      await publish("after");
      await stream.until(() => names(stream).includes("after"));
      stream.close();
    }
  });

  test("sends a thousand missed events again, and reset rather than omit one", async () => {
    const before = await open(person);
    await before.until(() => before.events.length === 1);
    before.close();
    const miss = (count: number) =>
      app.database.withTransaction({ organisationId }, (tx) =>
        tx
          .insertInto("live_events")
          .values(
            Array.from({ length: count }, (_, index) => ({
              organisation_id: organisationId,
              type: "organisation.updated",
              data: JSON.stringify({ ...settings, id: organisationId, name: `missed ${index}` }),
            })),
          )
          .execute(),
      );
    const reopen = () => open(person, before.events[0]?.id);
    await miss(1_000);
    const whole = await reopen();
    await whole.until(() => whole.events.length === 1_000);
    expect(names(whole).at(-1)).toBe("missed 999");
    whole.close();
    await miss(1);
    const reset = await reopen();
    await reset.until(() => reset.events.length > 0);
    expect(reset.events[0]).toMatchObject({ event: "reset" });
    reset.close();
  });

  test("continues after its database connection was cut, without losing events", async () => {
    const stream = await open(person);
    await stream.until(() => stream.events.length === 1);
    await owner.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'leadline-listener'",
    );
    await publish("meanwhile");
    await stream.until(() => names(stream).includes("meanwhile"));
    expect(names(stream)).toEqual(["meanwhile"]);
    stream.close();
  });
});

describe("a stream ends", () => {
  test("when its user logs out, and presence follows", async () => {
    const leaving = await registerPerson(app);
    await makeOrganisation(app, leaving);
    const counts: number[] = [];
    app.liveEvents.openStreams.onChange((userId, count) => {
      if (userId === leaving.id) counts.push(count);
    });
    const streams = [await open(leaving), await open(leaving)];
    expect(app.liveEvents.openStreams.count(leaving.id)).toBe(2);
    await app.ask("POST", "/v1/logout", { body: { refreshToken: leaving.refreshToken } });
    await Promise.all(streams.map((stream) => stream.ended));
    expect(app.liveEvents.openStreams.count(leaving.id)).toBe(0);
    expect(counts).toEqual([1, 2, 1, 0]);
  });

  test("when its person switches to another organisation", async () => {
    const moving = await registerPerson(app);
    await makeOrganisation(app, moving);
    const stream = await open(moving);
    await makeOrganisation(app, moving);
    await stream.ended;
    expect(app.liveEvents.openStreams.count(moving.id)).toBe(0);
  });

  test("soon after a membership was deleted by hand", async () => {
    const fired = await registerPerson(app);
    const organisation = await makeOrganisation(app, fired);
    const stream = await open(fired);
    await app.database.withTransaction({ organisationId: organisation.id }, (tx) =>
      tx.deleteFrom("memberships").where("user_id", "=", fired.id).execute(),
    );
    await stream.ended;
    expect(app.liveEvents.openStreams.count(fired.id)).toBe(0);
  });
});

test("a person without an organisation gets no stream, and a token in the address isn't accepted", async () => {
  const alone = await registerPerson(app);
  expect((await app.ask("GET", "/v1/events", { token: alone.token })).json().type).toBe("/api/docs#no-organisation");
  expect((await app.ask("GET", `/v1/events?access_token=${person.token}`)).statusCode).toBe(401);
});
