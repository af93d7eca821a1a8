// @vitest-environment happy-dom
import { Outlet } from "@tanstack/react-router";
import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { meQuery } from "../../../data/me-query.ts";
import { numberUseQuery } from "../../../data/phone-numbers-query.ts";
import { PhoneContext } from "../../../phone/phone-context.ts";
import { newTestCall } from "../../../phone/testing/new-test-call.ts";
import { openTestPhone } from "../../../phone/testing/open-test-phone.ts";
import { showScreens } from "../../../routes/testing/show-screens.tsx";
import { CallLists } from "./call-lists.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

async function show(timeZone: string, use?: { usesNumbers: boolean; isSandbox: boolean; carrier: string }) {
  vi.stubGlobal("fetch", async () => Response.json([]));
  const me = { id: "robin", activeOrganisation: { id: "harbour", timeZone } };
  await showScreens({
    at: "/calls",
    screens: { "/calls": CallLists },
    known: [
      [meQuery.queryKey, me],
      [numberUseQuery.queryKey, use ?? { usesNumbers: true, isSandbox: true, carrier: "Sandbox" }],
    ],
  });
  await screen.findByText("No calls yet");
}

test("names the log's time zone if it isn't the reader's", async () => {
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const other = own === "Asia/Ho_Chi_Minh" ? "America/New_York" : "Asia/Ho_Chi_Minh";
  await show(other);
  screen.getByText(`Times are in your organisation’s time zone, ${other.replaceAll("_", " ")}`);
  cleanup();
  await show(own);
  expect(screen.queryByText(/clock/)).toBeNull();
});

test("the sandbox's numbers are only suggested while calls go to the sandbox", async () => {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  await show(timeZone);
  screen.getByText(/Try \+1 202 555 0100/);
  cleanup();
  await show(timeZone, { usesNumbers: false, isSandbox: false, carrier: "SIP trunk" });
  expect(screen.queryByText(/555 0100/)).toBeNull();
});

test("a call says which of the organisation's numbers its callee saw, in the list and when it is opened", async () => {
  const call = newTestCall("+12025550100", 1, { status: "completed", shownNumber: "+17205550100" });
  const { phone } = openTestPhone();
  vi.stubGlobal("fetch", async (address: URL | string) => {
    const { pathname } = new URL(address, location.href);
    if (pathname.endsWith(call.callSid)) return Response.json(call);
    if (pathname.endsWith("/carrier-cost")) return Response.json({ carrierCost: null });
    return Response.json(pathname.endsWith("/v1/calls") ? [call] : []);
  });
  const me = { id: "robin", activeOrganisation: { id: "harbour", role: "owner", timeZone: "UTC" } };
  await showScreens({
    at: "/calls",
    screens: { "/calls": CallLists },
    layout: () => (
      <PhoneContext value={phone}>
        <Outlet />
      </PhoneContext>
    ),
    known: [[meQuery.queryKey, me]],
  });
  await screen.findByText(/from \+1 720 555 0100/);
  fireEvent.click(screen.getByRole("button", { name: /Open the call with/ }));
  expect(await screen.findByText(/Caller ID \+1 720 555 0100/)).toBeDefined();
});

test("shows the To sort tab with a count only when calls need a lead chosen", async () => {
  await show(Intl.DateTimeFormat().resolvedOptions().timeZone);
  expect(screen.queryByRole("tab", { name: /To sort/ })).toBeNull();
  cleanup();
  const waiting = newTestCall("+12025550100", 1, { status: "completed" });
  vi.stubGlobal("fetch", async (address: URL | string) =>
    Response.json(/limit=100&toSort|toSort=true&limit=100/.test(String(address)) ? [waiting] : []),
  );
  await showScreens({ at: "/calls", screens: { "/calls": CallLists }, known: [] });
  await screen.findByRole("tab", { name: "To sort 1 call" });
});
