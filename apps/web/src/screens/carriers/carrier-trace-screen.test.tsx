// @vitest-environment happy-dom
import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { carriersQuery, carrierTraceQuery } from "../../data/carriers-query.ts";
import { meQuery } from "../../data/me-query.ts";
import { showScreens } from "../../routes/testing/show-screens.tsx";
import { CarrierTraceScreen } from "./carrier-trace-screen.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const carrierId = "0b0c3b8e-5a6d-4c39-9a39-6f5d0f1a0009";
const message = (id: number, method: string, ignored: string | null = null) => ({
  id,
  at: "2026-11-21T12:00:00.000Z",
  direction: "received",
  protocol: "UDP",
  address: "203.0.113.5",
  port: 5060,
  summary: `${method} sip:agent@example.com SIP/2.0`,
  callId: "one",
  text: `${method} sip:agent@example.com SIP/2.0\r\nCSeq: 1 ${method}`,
  ignored,
});
const show = (trace: unknown, role = "owner") => {
  vi.stubGlobal("fetch", async () => (trace instanceof Response ? trace : Response.json(trace)));
  const me = { activeOrganisation: { id: "o", name: "Acme", role } };
  return showScreens({
    at: `/settings/carriers/${carrierId}/trace`,
    screens: { "/settings/carriers/$carrierId/trace": CarrierTraceScreen },
    known: [
      [meQuery.queryKey, me],
      [carriersQuery.queryKey, []],
    ],
  });
};

test("shows messages, says why one was ignored, and hides keep-alives until requested", async () => {
  await show({
    messages: [message(2, "INVITE", "A header can't be read."), message(1, "OPTIONS")],
    strangers: [{ address: "198.51.100.9", packets: 12, lastAt: "2026-11-21T12:00:00.000Z" }],
  });
  await screen.findByText(/^INVITE sip:agent/, { selector: "summary *" });
  screen.getByText("It was ignored. A header can't be read.");
  screen.getByText(/198\.51\.100\.9 \(12\)/);
  expect(screen.queryByText(/^OPTIONS/, { selector: "summary *" })).toBeNull();
  fireEvent.click(screen.getByRole("checkbox"));
  screen.getByText(/^OPTIONS/, { selector: "summary *" });
});

test("a response's row names the request it responds to, and the number", async () => {
  const text = "SIP/2.0 200 OK\r\nFrom: <sip:agent@pbx.test>\r\nTo: <sip:+12025550100@pbx.test>\r\nCSeq: 2 BYE";
  await show({ messages: [{ ...message(1, "BYE"), summary: "SIP/2.0 200 OK", text }], strangers: [] });
  const row = (await screen.findByText("SIP/2.0 200 OK", { selector: "summary *" })).closest("summary");
  expect(row?.textContent).toMatch(/SIP\/2\.0 200 OK to BYE\+12025550100$/);
});

test("says what to do while there are no messages", async () => {
  await show({ messages: [], strangers: [] });
  expect(await screen.findByText("No messages yet")).toBeTruthy();
});

test("says if loading fails", async () => {
  const problem = { type: "/api/docs#not-found", title: "Not found", status: 404, detail: "No such carrier." };
  await show(Response.json(problem, { status: 404, headers: { "content-type": "application/problem+json" } }));
  expect(await screen.findByText("The SIP trace couldn’t be loaded")).toBeTruthy();
});

test("isn't shown to members", async () => {
  await show({ messages: [], strangers: [] }, "member");
  await screen.findByText(/Only an owner or admin/);
  expect(carrierTraceQuery(carrierId).queryKey).toEqual(["carrier-trace", carrierId]);
});
