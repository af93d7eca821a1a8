// @vitest-environment happy-dom
import type { Call } from "@leadline/contract/calls";
import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { integrationsQuery } from "../../../data/integrations-query.ts";
import { newTestCall } from "../../../phone/testing/new-test-call.ts";
import { showScreens } from "../../../routes/testing/show-screens.tsx";
import { LoggingLine } from "./logging-line.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const lead: Call["leads"][number] = { id: crypto.randomUUID(), firstName: "Ada", lastName: "Byron", status: "New" };
const why = "Not logged in a CRM, because the call’s lead wasn’t in one.";

async function show(change: Partial<Call>, statuses: string[]): Promise<void> {
  vi.stubGlobal("fetch", async () => new Response("[]"));
  const call = newTestCall("+12025550100", 1, { status: "completed", leads: [lead], ...change });
  await showScreens({
    at: "/calls",
    screens: { "/calls": () => <LoggingLine call={call} /> },
    known: [[integrationsQuery.queryKey, statuses.map((status) => ({ status, lastSync: null }))]],
  });
}

test("an ended call whose lead is in no CRM says why it isn't logged, if a CRM is connected", async () => {
  await show({}, ["active"]);
  expect(screen.getByText(why)).toBeDefined();
});

test("such a call whose number several leads have offers to change its lead", async () => {
  const other = { ...lead, id: crypto.randomUUID(), firstName: "Bob" };
  await show({ leads: [lead, other] }, ["active"]);
  expect(screen.getByText(why)).toBeDefined();
  fireEvent.click(screen.getByRole("button", { name: "Change lead" }));
  expect(screen.getByRole("button", { name: "Bob Byron" })).toBeDefined();
});

test.each<[string, Partial<Call>, string[]]>([
  ["a live call", { status: "in-progress" }, ["active"]],
  ["a call without a lead", { leads: [] }, ["active"]],
  ["a call where no CRM is connected", {}, ["inactive"]],
])("%s says nothing of it", async (_, change, statuses) => {
  await show(change, statuses);
  expect(screen.queryByText(why)).toBeNull();
});
