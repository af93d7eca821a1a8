import { randomUUID } from "node:crypto";
import type { CallOutcome } from "@leadline/contract/call-outcomes";
import { expect, test } from "vitest";
import { leavePastCalls } from "../../testing/past-calls.ts";
import { joinOrganisation, registerPerson, testApp, type TestPerson } from "../../testing/test-app.ts";
import { newRep } from "../../testing/test-calls.ts";

const app = testApp();
const list = async (person: TestPerson): Promise<CallOutcome[]> =>
  (await app.ask("GET", "/v1/call-outcomes", { token: person.token })).json();
const create = (person: TestPerson, name: string) =>
  app.ask("POST", "/v1/call-outcomes", { token: person.token, body: { name } });
const update = (person: TestPerson, id: string, body: object) =>
  app.ask("PUT", `/v1/call-outcomes/${id}`, { token: person.token, body });
const remove = (person: TestPerson, id: string) =>
  app.ask("DELETE", `/v1/call-outcomes/${id}`, { token: person.token });
const names = (outcomes: readonly CallOutcome[]) => outcomes.map(({ name }) => name);

test("a new organisation starts with outcomes to choose from, and may change every one", async () => {
  const rep = await newRep(app);
  const outcomes = await list(rep);
  expect(names(outcomes)).toEqual([
    "Interested",
    "Call back",
    "Not interested",
    "Left a message",
    "Wrong number",
    "Do not call",
  ]);
  for (const { id } of outcomes) expect((await remove(rep, id)).json()).toEqual({ archived: false });
  expect(await list(rep)).toEqual([]);
});

test("an admin can add, rename and order them; new ones come last", async () => {
  const rep = await newRep(app);
  const added = await create(rep, "  Sold  ");
  expect(added.statusCode).toBe(201);
  const sold: CallOutcome = added.json();
  expect(sold).toEqual({ id: sold.id, name: "Sold", archived: false, doNotCall: false, callBack: false, inUse: false });
  expect(names(await list(rep)).at(-1)).toBe("Sold");
  expect((await update(rep, sold.id, { name: "Closed" })).json()).toMatchObject({ name: "Closed" });
  const wrongNumber = (await list(rep)).find(({ name }) => name === "Wrong number");
  const ids = [sold.id, wrongNumber?.id, randomUUID()];
  const ordered = await app.ask("PUT", "/v1/call-outcomes/order", { token: rep.token, body: { ids } });
  expect(names(ordered.json())).toEqual([
    "Closed",
    "Wrong number",
    "Interested",
    "Call back",
    "Not interested",
    "Left a message",
    "Do not call",
  ]);
});

test("only one outcome means call back and only one do not call; one outcome can't mean both", async () => {
  const rep = await newRep(app);
  const outcomes = await list(rep);
  expect(names(outcomes.filter(({ callBack }) => callBack))).toEqual(["Call back"]);
  const id = outcomes[0]?.id ?? "";
  expect((await update(rep, id, { callBack: true })).json()).toMatchObject({ callBack: true, doNotCall: false });
  expect((await update(rep, id, { doNotCall: true })).json()).toMatchObject({ callBack: false, doNotCall: true });
  expect((await update(rep, id, { callBack: true })).json()).toMatchObject({ callBack: true, doNotCall: false });
  const both = await update(rep, id, { callBack: true, doNotCall: true });
  expect([both.statusCode, both.json().detail]).toEqual([
    422,
    "An outcome can mean “call back” or “do not call”, not both.",
  ]);
});

test("an outcome that calls have is archived instead of deleted, and can be offered again", async () => {
  const rep = await newRep(app);
  const [interested] = await list(rep);
  const id = interested?.id ?? "";
  const [callSid] = await leavePastCalls(app, rep, [{ at: "2026-01-14T10:00:00Z", outcomeId: id }]);
  expect((await remove(rep, id)).json()).toEqual({ archived: true });
  expect((await list(rep)).at(-1)).toEqual({
    id,
    name: "Interested",
    archived: true,
    doNotCall: false,
    callBack: false,
    inUse: true,
  });
  const stored = await app.database.withTransaction({ organisationId: rep.organisationId }, (tx) =>
    tx
      .selectFrom("calls")
      .select("outcome_id")
      .where("call_sid", "=", callSid ?? "")
      .executeTakeFirst(),
  );
  expect(stored).toEqual({ outcome_id: id });
  expect((await update(rep, id, { archived: false })).json()).toMatchObject({ archived: false });
  expect(names(await list(rep))[0]).toBe("Interested");
});

test("no two offered outcomes have the same name in any spelling, and the list stays short", async () => {
  const rep = await newRep(app);
  const [interested, callBack] = await list(rep);
  const again = await create(rep, "INTERESTED");
  expect([again.statusCode, again.json().detail]).toEqual([
    409,
    "“INTERESTED” is already in the list. Choose another name.",
  ]);
  expect((await update(rep, callBack?.id ?? "", { name: "interested" })).statusCode).toBe(409);
  expect((await update(rep, interested?.id ?? "", { name: "interested" })).statusCode).toBe(200);
  expect((await update(rep, callBack?.id ?? "", { archived: true })).statusCode).toBe(200);
  expect((await create(rep, "Call back")).statusCode).toBe(201);
  expect((await update(rep, callBack?.id ?? "", { archived: false })).statusCode).toBe(409);
  const answers = await Promise.all(Array.from({ length: 26 }, (_, i) => create(rep, `Outcome ${i}`)));
  expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([...Array(24).fill(201), 409, 409]);
  expect((await create(rep, "x")).json().detail).toBe("Name must be at least 2 characters.");
});

test("members read the list but can't change it; other organisations can't read it", async () => {
  const rep = await newRep(app);
  const member = await registerPerson(app);
  await joinOrganisation(app, member, { organisationId: rep.organisationId, role: "member" });
  const stranger = await newRep(app);
  const outcomes = await list(rep);
  const id = outcomes[0]?.id ?? "";
  expect(await list(member)).toEqual(outcomes);
  const order = (person: TestPerson) =>
    app.ask("PUT", "/v1/call-outcomes/order", { token: person.token, body: { ids: [outcomes[5]?.id] } });
  for (const refused of [await create(member, "Mine"), await update(member, id, { name: "Mine" }), await order(member)])
    expect(refused.statusCode).toBe(403);
  expect((await remove(member, id)).statusCode).toBe(403);
  expect((await update(stranger, id, { name: "Theirs" })).statusCode).toBe(404);
  expect((await remove(stranger, id)).statusCode).toBe(404);
  await order(stranger);
  expect(await list(rep)).toEqual(outcomes);
});
