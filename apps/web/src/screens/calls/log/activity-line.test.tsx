// @vitest-environment happy-dom
import type { CallActivity } from "@leadline/contract/call-activity";
import type { Call } from "@leadline/contract/calls";
import type { Role } from "@leadline/contract/organisations";
import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { crmServicesQuery } from "../../../data/integrations-query.ts";
import { meQuery } from "../../../data/me-query.ts";
import { newTestCall } from "../../../phone/testing/new-test-call.ts";
import { showScreens } from "../../../routes/testing/show-screens.tsx";
import { ActivityLine } from "./activity-line.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const service = "harbour-crm";
const name = "Harbour CRM";
const written: CallActivity = { state: "written", service, url: "/there", problem: null };
const leads: Call["leads"] = ["Ada", "Grace"].map((firstName) => ({
  id: crypto.randomUUID(),
  firstName,
  lastName: "Byron",
  status: "New",
}));

async function show(activity: CallActivity, role: Role = "member"): Promise<{ asked: string[] }> {
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (address: URL | string, { method, body }: RequestInit = {}) => {
    asked.push(`${method} ${new URL(String(address), "http://localhost").pathname} ${String(body ?? "")}`.trim());
    return new Response(null, { status: 204 });
  });
  const call = newTestCall("+12025550100", 1, { status: "completed", leads, activity });
  await showScreens({
    at: "/calls",
    screens: { "/calls": () => <ActivityLine call={call} activity={activity} /> },
    known: [
      [meQuery.queryKey, { id: "me", activeOrganisation: { id: "o", role } }],
      [crmServicesQuery.queryKey, [{ service, name }]],
    ],
  });
  return { asked };
}

const path = `/api/v1/calls/CA${"1".padStart(32, "0")}/activity`;

test("a logged call links to its CRM record", async () => {
  await show(written);
  const link = screen.getByRole("link", { name: new RegExp(`^Logged in ${name}`) });
  expect(link.getAttribute("href")).toBe("/there");
});

test("a call being updated in the CRM still links to its record", async () => {
  await show({ ...written, state: "waiting" });
  expect(screen.getByRole("link", { name: new RegExp(`^Logged in ${name}`) }).getAttribute("href")).toBe("/there");
  screen.getByText("Updating…");
});

test("a pending call says why it waits", async () => {
  await show({ ...written, state: "waiting", url: null, problem: "It asks to slow down." });
  expect(screen.getByText(`Waiting to be logged in ${name}. It asks to slow down.`)).toBeDefined();
});

test("an analyst sees the state, and no actions", async () => {
  await show({ ...written, state: "failed", url: null, problem: "The lead is gone." }, "analyst");
  screen.getByText(`Not logged in ${name}. The lead is gone.`);
  cleanup();
  await show({ ...written, state: "to-sort" }, "analyst");
  screen.getByText("Several leads have this number. A member has to choose one.");
  expect(screen.queryAllByRole("button")).toEqual([]);
});

test("a refused call says why, and can be retried", async () => {
  const { asked } = await show({ ...written, state: "failed", url: null, problem: "The lead is gone." });
  screen.getByText(`Not logged in ${name}. The lead is gone.`);
  fireEvent.click(screen.getByRole("button", { name: "Retry" }));
  await waitFor(() => expect(asked).toEqual([`POST ${path}/retry`]));
});

test("a call that was logged for a lead that is gone says so, and has no lead to change", async () => {
  await show({ state: "written", service: null, url: null, problem: null });
  screen.getByText("Logged in the CRM");
  expect(screen.queryAllByRole("button")).toEqual([]);
});

test("the leads that share the number can be chosen", async () => {
  const { asked } = await show({ state: "to-sort", service: null, url: null, problem: null });
  screen.getByText(/^Several leads have this number\./);
  fireEvent.click(screen.getByRole("button", { name: "Grace Byron" }));
  await waitFor(() => expect(asked).toEqual([`PUT ${path} ${JSON.stringify({ leadId: leads[1]?.id })}`]));
});

test("the lead chosen for a shared number can be changed on a logged call", async () => {
  const { asked } = await show(written);
  expect(screen.queryByRole("button", { name: "Grace Byron" })).toBeNull();
  fireEvent.click(screen.getByRole("button", { name: "Change lead" }));
  screen.getByText(/later calls with this number/);
  fireEvent.click(screen.getByRole("button", { name: "Grace Byron" }));
  await waitFor(() => expect(asked).toEqual([`PUT ${path} ${JSON.stringify({ leadId: leads[1]?.id })}`]));
  await waitFor(() => expect(screen.queryByRole("button", { name: "Grace Byron" })).toBeNull());
});
