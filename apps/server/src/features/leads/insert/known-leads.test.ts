import { expect, test } from "vitest";
import { testApp } from "../../../testing/test-app.ts";
import { newRep } from "../../../testing/test-calls.ts";
import { insertLeads } from "./insert-leads.ts";

const app = testApp();
const lead = { firstName: "Ada", lastName: "Byron", email: "ada@example.com", phone: "ask reception" };
/** One lead per field, which differs only in that field. */
const others = Object.keys(lead).map((field) => ({
  ...lead,
  [field]: field === "email" ? "al@example.com" : "Another",
}));
/** Returns how many were added, and which weren't. */
async function insert(organisationId: string, leads: (typeof lead)[]) {
  const { created, duplicates } = await app.database.withTransaction({ organisationId }, (tx) =>
    insertLeads(tx, { organisationId, leads, skipKnownNumbers: true }),
  );
  return { created, duplicates: duplicates.map(({ index }) => index) };
}

test("a lead without a number is matched by name, email and phone together, never by fewer of them", async () => {
  const [{ organisationId }, { organisationId: another }] = [await newRep(app), await newRep(app)];
  // First within one file, then against existing leads.
  expect(await insert(organisationId, [lead, ...others, lead])).toEqual({ created: 5, duplicates: [5] });
  expect(await insert(another, [lead])).toEqual({ created: 1, duplicates: [] });
  expect(await insert(another, [lead, ...others])).toEqual({ created: 4, duplicates: [0] });
});
