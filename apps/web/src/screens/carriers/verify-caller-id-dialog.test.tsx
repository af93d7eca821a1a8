// @vitest-environment happy-dom
import type { CarrierConnection } from "@leadline/contract/carriers";
import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { carrierKindsQuery, carriersQuery } from "../../data/carriers-query.ts";
import { meQuery } from "../../data/me-query.ts";
import { showScreens } from "../../routes/testing/show-screens.tsx";
import { CarriersScreen } from "./carriers-screen.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const e164 = "+442079460123";
const number = "+44 20 7946 0123";
const carrier: CarrierConnection = {
  id: "0b0c3b8e-5a6d-4c39-9a39-6f5d0f1a0009",
  kind: "sip-trunk",
  label: "London trunk",
  settings: {},
  secretsSet: [],
  callsPerSecond: null,
  channels: null,
  inUse: true,
  state: { level: "working", sentence: "Connected." },
  callerId: { number: e164, unverifiedAt: ["sip.example.com"] },
  createdAt: "2026-11-21T12:00:00.000Z",
};

function show(role: string, answers: Record<string, () => Response> = {}) {
  const asked: { path: string; body: unknown }[] = [];
  vi.stubGlobal("fetch", async (url: string, init?: { method?: string; body?: string }) => {
    const { pathname } = new URL(url, "http://localhost");
    const last = pathname.split("/").at(-1) ?? "";
    if (init?.method === "POST") asked.push({ path: last, body: JSON.parse(init.body ?? "null") });
    return answers[last]?.() ?? Response.json([]);
  });
  const me = { activeOrganisation: { id: "o", name: "Acme", role } };
  const shown = showScreens({
    at: "/settings/carriers",
    screens: { "/settings/carriers": CarriersScreen },
    known: [
      [meQuery.queryKey, me],
      [carriersQuery.queryKey, [carrier]],
      [carrierKindsQuery.queryKey, []],
    ],
  });
  return shown.then(() => asked);
}

const problem = (detail: string) =>
  Response.json(
    { type: "/api/docs#caller-id-not-verified", title: "Not verified", status: 409, detail },
    { status: 409, headers: { "content-type": "application/problem+json" } },
  );

test("an owner starts the verification call, enters the code that is read out, and can be called again", async () => {
  const called = { number: e164, server: "sip.example.com", expiresAt: "2026-11-21T12:10:00.000Z" };
  const asked = await show("owner", {
    call: () => Response.json(called, { status: 201 }),
    code: () => problem("That’s not the code that was read out."),
  });
  fireEvent.click(await screen.findByRole("button", { name: `Verify ${number}` }));
  expect(screen.queryByLabelText("Code")).toBeNull();
  fireEvent.click(await screen.findByRole("button", { name: `Call ${number}` }));
  const code = await screen.findByLabelText(/^Code/);
  fireEvent.change(code, { target: { value: "123 456" } });
  fireEvent.click(screen.getByRole("button", { name: "Verify" }));
  expect(await screen.findByText("That’s not the code that was read out.")).toBeTruthy();
  expect(asked).toEqual([
    { path: "call", body: null },
    { path: "code", body: { code: "123456" } },
  ]);
  fireEvent.click(screen.getByRole("button", { name: "Call again" }));
  await vi.waitFor(() => expect(asked.at(-1)?.path).toBe("call"));
});

test("says why the number wasn't reached, and tells an admin that only an owner can verify", async () => {
  await show("owner", { call: () => problem(`${number} is busy. Try again in a moment.`) });
  fireEvent.click(await screen.findByRole("button", { name: `Verify ${number}` }));
  fireEvent.click(await screen.findByRole("button", { name: `Call ${number}` }));
  expect(await screen.findByText(/is busy/)).toBeTruthy();
  cleanup();
  await show("admin");
  expect(await screen.findByText(/until it’s verified/)).toBeTruthy();
  expect(screen.queryByRole("button", { name: `Verify ${number}` })).toBeNull();
});
