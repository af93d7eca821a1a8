// @vitest-environment happy-dom
import { Outlet } from "@tanstack/react-router";
import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { showScreens } from "../../routes/testing/show-screens.tsx";
import { Toaster } from "../../ui/toaster.tsx";
import { CarrierForm } from "./carrier-form.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const kind = {
  kind: "sip-trunk",
  name: "SIP trunk",
  capabilities: { hold: true, transfer: true, inbound: true, digits: "media", numbers: false },
  form: { properties: { host: { type: "string", title: "Server" } } },
} as const;

test("a carrier that nobody has reached yet is called saved, and not connected", async () => {
  const saved = {
    id: "0b0c3b8e-5a6d-4c39-9a39-6f5d0f1a0009",
    kind: kind.kind,
    label: "Wrong trunk",
    settings: { host: "192.0.2.1" },
    secretsSet: [],
    pricePerMinute: 0,
    inUse: true,
    state: { level: "starting", sentence: "Reaching 192.0.2.1." },
    createdAt: "2026-11-21T12:00:00.000Z",
  };
  vi.stubGlobal("fetch", async () => Response.json(saved, { status: 201 }));
  const layout = () => (
    <>
      <Outlet />
      <Toaster atTop={false} />
    </>
  );
  const screens = {
    "/settings/carriers/new": () => <CarrierForm kind={kind} />,
    "/settings/carriers": () => "Carriers",
  };
  await showScreens({ at: "/settings/carriers/new", screens, layout });
  fireEvent.click(screen.getByRole("button", { name: "Connect" }));
  expect(await screen.findByText("Wrong trunk is saved. Calls go through it from now on.")).toBeTruthy();
});
