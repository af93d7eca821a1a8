import type { CrmCall } from "@leadline/adapter-kit/crm";
import { expect, test } from "vitest";
import { createApi } from "./api.ts";
import { createOwnerReader } from "./read-owners.ts";
import { createLeadReader } from "./read-leads.ts";
import { createCallWriter } from "./write-calls.ts";

const grant = {
  accessToken: "a",
  refreshToken: null,
  expiresAt: null,
  accountId: "1",
  own: { apiHost: "api.hubapi.com" },
};
const call: CrmCall = {
  callSid: "CA00000000000000000000000000000001",
  leadExternalId: "7",
  direction: "outbound",
  phoneNumber: "+12025550143",
  startedAt: "2026-03-01T09:30:00.000Z",
  startedOn: "2026-03-01",
  wasAnswered: false,
  seconds: 0,
  outcome: "",
  note: "",
  rep: "",
  link: null,
};

/** HubSpot as it would be if every page led on to the next of these, over and over. */
function leadingTo(...afters: string[]) {
  let asked = 0;
  const send = async () => {
    const paging = { next: { after: afters[asked % afters.length] } };
    asked += 1;
    if (asked > 100) throw new Error("it has asked without end");
    return { status: 200, headers: {}, text: JSON.stringify({ total: 1, results: [], paging }) };
  };
  return createApi({ send, close: () => {} }, null);
}
const unreadable = { fault: "unreachable", message: "HubSpot sent a response that Leadline doesn’t understand." };

test("calls whose pages lead back to an earlier one aren’t read without end", async () => {
  const { find } = createCallWriter(leadingTo("1", "2"), null);
  await expect(find(grant, call)).rejects.toMatchObject(unreadable);
});

test("owners whose pages lead back to an earlier one aren’t read without end", async () => {
  await expect(createOwnerReader(leadingTo("1", "2"))(grant)).rejects.toMatchObject(unreadable);
});

test("contacts whose page leads to itself aren’t read without end", async () => {
  const read = createLeadReader(leadingTo("1"), null);
  const { cursor } = await read(grant, null, null);
  await expect(read(grant, cursor, null)).rejects.toMatchObject(unreadable);
});
