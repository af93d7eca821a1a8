import type { Call } from "@leadline/contract/calls";
import { expect, test } from "vitest";
import { leavePastCalls } from "../../../testing/past-calls.ts";
import { newRep, type Rep, testAppWithCalls } from "../../../testing/test-calls.ts";
import { findCallIds } from "./call-log.table.ts";

const app = testAppWithCalls();
const find = async (rep: Rep, search: string): Promise<string[]> =>
  (await app.ask("GET", `/v1/calls?search=${encodeURIComponent(search)}`, { token: rep.token }))
    .json()
    .map((call: Call) => call.callSid);

test("finds an old call by its note or number through the index, within its organisation only", async () => {
  const [rep, stranger] = [await newRep(app), await newRep(app)];
  const at = "2026-01-05T09:00:00Z";
  const rare = { at, note: "Wants the Winchés quoted", phoneNumber: "+442079460958" };
  const [theirs] = await leavePastCalls(app, stranger, [rare]);
  const [noted] = await leavePastCalls(app, rep, [rare]);
  await leavePastCalls(
    app,
    rep,
    Array.from({ length: 2_050 }, (_, index) => ({ at, note: index % 2 === 0 ? "" : "Nobody there" })),
  );
  for (const search of ["winches", "quoted wants", "7946 0958"]) expect(await find(rep, search)).toEqual([noted]);
  expect(await find(stranger, "winches")).toEqual([theirs]);
  expect(await find(rep, "winches nobody")).toEqual([]);
  expect(await find(rep, "nobody")).toHaveLength(50);

  const byIndex = (notePatterns: string[], digits: string | null = null) =>
    app.database.withTransaction({ organisationId: rep.organisationId }, (tx) =>
      findCallIds(tx, { notePatterns, digits }, 1_000),
    );
  expect(await byIndex(["%winches%"])).toHaveLength(1);
  expect(await byIndex(["%79460958%"], "79460958")).toHaveLength(1);
  // Too common, or too short for trigrams: found by scanning from the newest call.
  expect(await byIndex(["%nobody%"])).toBeNull();
  expect(await byIndex(["%no%"])).toBeNull();
});
