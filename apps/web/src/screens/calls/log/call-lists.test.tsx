// @vitest-environment happy-dom
import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { meQuery } from "../../../data/me-query.ts";
import { numberUseQuery } from "../../../data/phone-numbers-query.ts";
import { newTestCall } from "../../../phone/testing/new-test-call.ts";
import { showScreens } from "../../../routes/testing/show-screens.tsx";
import { CallLists } from "./call-lists.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

async function show(timeZone: string, use?: { usesNumbers: boolean; carrier: string }) {
  vi.stubGlobal("fetch", async () => Response.json([]));
  const me = { id: "robin", activeOrganisation: { id: "harbour", timeZone } };
  await showScreens({
    at: "/calls",
    screens: { "/calls": CallLists },
    known: [
      [meQuery.queryKey, me],
      [numberUseQuery.queryKey, use ?? { usesNumbers: true, carrier: "Sandbox" }],
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
  await show(timeZone, { usesNumbers: false, carrier: "SIP trunk" });
  expect(screen.queryByText(/555 0100/)).toBeNull();
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
