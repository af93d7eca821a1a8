// @vitest-environment happy-dom
import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { showScreens } from "../../routes/testing/show-screens.tsx";
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
  presets: [],
} as const;

test("a new carrier's price asks for the password if the server does, and keeps what was entered", async () => {
  const detail = "Enter your password to add a rate.";
  const sent: unknown[] = [];
  vi.stubGlobal("fetch", async (_url: URL, { body }: RequestInit) => {
    sent.push(JSON.parse(String(body)));
    const type = "/api/docs#password-required";
    return Response.json(
      { type, title: "Enter your password", status: 403, detail },
      { status: 403, headers: { "content-type": "application/problem+json" } },
    );
  });
  const screens = { "/settings/carriers/new": () => <CarrierForm kind={kind} /> };
  await showScreens({ at: "/settings/carriers/new", screens });
  fireEvent.change(screen.getByLabelText("Label"), { target: { value: "Trunk" } });
  fireEvent.change(screen.getByLabelText("Price per minute (US$)"), { target: { value: "0.02" } });
  fireEvent.click(screen.getByRole("button", { name: "Connect" }));
  await screen.findByText(detail);
  fireEvent.change(await screen.findByLabelText("Your password"), { target: { value: "my password" } });
  fireEvent.click(screen.getByRole("button", { name: "Confirm" }));
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(sent[1]).toMatchObject({ label: "Trunk", pricePerMinute: 20_000, currentPassword: "my password" });
});
