// @vitest-environment happy-dom
import { Outlet } from "@tanstack/react-router";
import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { accountKindsQuery } from "../../data/carrier-accounts-query.ts";
import { carrierKindsQuery } from "../../data/carriers-query.ts";
import { meQuery } from "../../data/me-query.ts";
import { session } from "../../data/session.ts";
import { showScreens } from "../../routes/testing/show-screens.tsx";
import { Toaster } from "../../ui/toaster.tsx";
import { CarrierForm } from "./carrier-form.tsx";
import { NewCarrierScreen } from "./carrier-form-screen.tsx";

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

test("a carrier that hasn't been reached yet is shown as saved, not as connected", async () => {
  const saved = {
    id: "0b0c3b8e-5a6d-4c39-9a39-6f5d0f1a0009",
    kind: kind.kind,
    label: "Wrong trunk",
    settings: { host: "192.0.2.1" },
    secretsSet: [],
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
  expect(await screen.findByText("Wrong trunk saved. Calls now go through it.")).toBeTruthy();
});

test("errors stay marked until their fields change, even after a connection test", async () => {
  const problem = (...errors: object[]) =>
    Response.json(
      { type: "/api/docs#invalid-input", title: "Check", status: 422, detail: "Check.", errors },
      { status: 422, headers: { "content-type": "application/problem+json" } },
    );
  const label = { field: "label", message: "Label must be at least 2 characters." };
  const host = { field: "settings.host", message: "Enter a name." };
  const answers = [problem(label, host), problem(host), Response.json([])];
  vi.stubGlobal("fetch", async () => answers.shift());
  const screens = { "/settings/carriers/new": () => <CarrierForm kind={kind} /> };
  await showScreens({ at: "/settings/carriers/new", screens });
  const marked = () => screen.getAllByRole("textbox").map((field) => field.getAttribute("aria-invalid") === "true");
  fireEvent.click(screen.getByRole("button", { name: "Connect" }));
  await screen.findByText(label.message);
  expect(marked().slice(0, 2)).toEqual([true, true]);
  const check = screen.getByRole("button", { name: "Test connection" });
  fireEvent.click(check);
  expect(marked().slice(0, 2)).toEqual([true, true]);
  await waitFor(() => expect(answers).toHaveLength(1));
  await waitFor(() => expect(check.hasAttribute("disabled")).toBe(false));
  expect(marked().slice(0, 2)).toEqual([true, true]);
  fireEvent.click(check);
  await waitFor(() => expect(screen.queryByText(host.message)).toBeNull());
  screen.getByText(label.message);
  fireEvent.change(screen.getByLabelText(/^Label/), { target: { value: "Trunk" } });
  expect(screen.queryByText(label.message)).toBeNull();
});

test("Cancel asks before discarding a half-filled form, and doesn't ask if nothing was entered", async () => {
  session.store({ accessToken: "access", refreshToken: "refresh" });
  const screens = {
    "/settings/carriers/new": () => <CarrierForm kind={kind} />,
    "/settings/carriers": () => <h1>Carriers</h1>,
  };
  const { unmount } = await showScreens({ at: "/settings/carriers/new", screens });
  fireEvent.click(screen.getByRole("link", { name: "Cancel" }));
  await screen.findByRole("heading", { name: "Carriers" });
  unmount();
  await showScreens({ at: "/settings/carriers/new", screens });
  fireEvent.change(screen.getByLabelText("Label"), { target: { value: "Harbour trunk" } });
  fireEvent.click(screen.getByRole("link", { name: "Cancel" }));
  await screen.findByRole("dialog", { name: "Leave without saving?" });
  fireEvent.click(screen.getByRole("button", { name: "Stay" }));
  expect(screen.getByLabelText<HTMLInputElement>("Label").value).toBe("Harbour trunk");
  session.clear();
});

test("a known provider only needs label, user and password; the rest is filled in", async () => {
  const asksFour = {
    ...kind,
    form: {
      properties: {
        host: { type: "string", title: "Server" },
        transport: { type: "string", title: "Transport", enum: ["auto", "tls"], default: "auto" },
        user: { type: "string", title: "User" },
        password: { type: "string", title: "Password", secret: true },
      },
    },
  };
  const preset = {
    id: "example",
    name: "Example Telecom",
    of: "provider" as const,
    settings: { host: "sip.example.com", transport: "tls" },
    asks: ["user", "password"],
    note: "The user is your account number.",
    source: "https://example.com/sip",
  };
  const sent: unknown[] = [];
  vi.stubGlobal("fetch", async (_url: URL, { body }: RequestInit) => {
    sent.push(JSON.parse(String(body)));
    return Response.json([]);
  });
  const screens = { "/settings/carriers/new": () => <CarrierForm kind={asksFour} preset={preset} /> };
  await showScreens({ at: "/settings/carriers/new", screens });
  expect(screen.getByLabelText<HTMLInputElement>("Label").value).toBe("Example Telecom");
  screen.getByText(/The user is your account number\./);
  const advanced = document.querySelector("details");
  expect(advanced?.contains(screen.getByLabelText("Server"))).toBe(true);
  for (const name of ["User", "Password"]) expect(advanced?.contains(screen.getByLabelText(name))).toBe(false);
  fireEvent.change(screen.getByLabelText("User"), { target: { value: "4711" } });
  fireEvent.change(screen.getByLabelText("Password"), { target: { value: "secret" } });
  fireEvent.click(screen.getByRole("button", { name: "Connect" }));
  const settings = { host: "sip.example.com", transport: "tls", user: "4711", password: "secret" };
  await waitFor(() => expect(sent[0]).toMatchObject({ label: "Example Telecom", settings }));
});

test("another provider fills in its own settings, and keeps the label, user, password and price that were typed", async () => {
  const text = (title: string, more: object = {}) => ({ type: "string", title, ...more });
  const properties = {
    host: text("Server"),
    user: text("User"),
    password: text("Password", { secret: true }),
    ringSeconds: { type: "integer", title: "Give up ringing after", default: 120, advanced: true },
  };
  const preset = (id: string, name: string, settings: object) => {
    const asks = ["user", "password"];
    return { id, name, settings, of: "provider", asks, note: null, source: "https://example.com" };
  };
  const kinds = [
    {
      ...kind,
      form: { properties },
      presets: [
        preset("first", "First Telecom", { host: "first.example.com", ringSeconds: 30 }),
        preset("second", "Second Telecom", { host: "second.example.com" }),
      ],
    },
  ];
  const me = { activeOrganisation: { id: "harbour", name: "Harbour", role: "owner" } };
  await showScreens({
    at: "/settings/carriers/new",
    screens: { "/settings/carriers/new": NewCarrierScreen },
    known: [
      [meQuery.queryKey, me],
      [carrierKindsQuery.queryKey, kinds],
      [accountKindsQuery.queryKey, []],
    ],
  });
  const value = (label: string) => screen.getByLabelText<HTMLInputElement>(label).value;
  const type = (label: string, typed: string) =>
    fireEvent.change(screen.getByLabelText(label), { target: { value: typed } });
  const choose = async (name: string) => {
    fireEvent.click(screen.getByLabelText("Provider or PBX"));
    fireEvent.click(await screen.findByRole("option", { name }));
  };
  await choose("First Telecom");
  expect(["Label", "Server", "Give up ringing after"].map(value)).toEqual(["First Telecom", "first.example.com", "30"]);
  type("Label", "Sales");
  type("User", "4711");
  type("Password", "secret");
  type("Price per minute (US$)", "0.02");
  type("Server", "typed.example.com");
  await choose("Second Telecom");
  expect(["Label", "User", "Password", "Price per minute (US$)"].map(value)).toEqual([
    "Sales",
    "4711",
    "secret",
    "0.02",
  ]);
  expect(["Server", "Give up ringing after"].map(value)).toEqual(["second.example.com", "120"]);
  type("Server", "typed.example.com");
  await choose("Other");
  expect(["Label", "User", "Server"].map(value)).toEqual(["Sales", "4711", "typed.example.com"]);
});

const refuse = (...errors: object[]) =>
  Response.json(
    { type: "/api/docs#invalid-input", title: "Check", status: 422, detail: "Check.", errors },
    { status: 422, headers: { "content-type": "application/problem+json" } },
  );

test("a refused limit is marked at its own field, which takes the focus", async () => {
  const message = "At most 1,000 a second.";
  const sent: unknown[] = [];
  vi.stubGlobal("fetch", async (_url: URL, { body }: RequestInit) => {
    sent.push(JSON.parse(String(body)));
    return refuse({ field: "callsPerSecond", message }, { field: "channels", message: "At least 1." });
  });
  await showScreens({
    at: "/settings/carriers/new",
    screens: { "/settings/carriers/new": () => <CarrierForm kind={kind} /> },
  });
  const field = screen.getByLabelText<HTMLInputElement>("New calls per second");
  fireEvent.change(field, { target: { value: "2,5" } });
  fireEvent.change(screen.getByLabelText("Calls at once"), { target: { value: "many" } });
  fireEvent.click(screen.getByRole("button", { name: "Connect" }));
  await screen.findByText(message);
  // Many isn't the same as no limit.
  expect(sent).toMatchObject([{ callsPerSecond: 2.5, channels: "many" }]);
  await waitFor(() => expect(document.activeElement).toBe(field));
  expect(field.getAttribute("aria-invalid")).toBe("true");
  expect(document.getElementById(field.getAttribute("aria-describedby") ?? "")?.textContent).toBe(message);
  expect(screen.getByLabelText("Calls at once").getAttribute("aria-invalid")).toBe("true");
  // Only beside the fields.
  expect(screen.getAllByRole("alert")).toHaveLength(2);
  fireEvent.change(field, { target: { value: "5" } });
  expect(screen.queryByText(message)).toBeNull();
});

test("a refusal of no field in particular comes into view above the form", async () => {
  const detail = "Your organisation has reached the limit of 20 carriers.";
  vi.stubGlobal("fetch", async () =>
    Response.json(
      { type: "/api/docs#quota-reached", title: "Limit reached", status: 409, detail },
      { status: 409, headers: { "content-type": "application/problem+json" } },
    ),
  );
  const shown: string[] = [];
  vi.spyOn(HTMLElement.prototype, "scrollIntoView").mockImplementation(function (this: HTMLElement) {
    shown.push(this.textContent);
  });
  await showScreens({
    at: "/settings/carriers/new",
    screens: { "/settings/carriers/new": () => <CarrierForm kind={kind} /> },
  });
  fireEvent.click(screen.getByRole("button", { name: "Connect" }));
  await screen.findByText(detail);
  await waitFor(() => expect(shown).toContain(detail));
});

test("a carrier that was set up by API key shows and sends only its label and its limits", async () => {
  const carrier = {
    id: "0b0c3b8e-5a6d-4c39-9a39-6f5d0f1a0009",
    kind: kind.kind,
    label: "Sales",
    settings: { host: "sales.example" },
    secretsSet: [],
    callsPerSecond: 1,
    channels: 2,
    inUse: true,
    state: { level: "working", sentence: "Connected." },
    callerId: null,
    createdAt: "2026-11-21T12:00:00.000Z",
  } as const;
  const form = { ...kind, form: { properties: { ...kind.form.properties, user: { type: "string", title: "User" } } } };
  const sent: unknown[] = [];
  vi.stubGlobal("fetch", async (_url: URL, { body }: RequestInit) => {
    sent.push(JSON.parse(String(body)));
    return Response.json(carrier);
  });
  const screens = {
    "/settings/carriers/$carrierId": () => (
      <CarrierForm kind={form} carrier={{ ...carrier, secretsSet: [] }} setUpAt="Acme Telecom" />
    ),
    "/settings/carriers": () => "Carriers",
  };
  await showScreens({ at: `/settings/carriers/${carrier.id}`, screens });
  expect(screen.getByText(/set up the connection to Acme Telecom by API key/)).toBeTruthy();
  expect([screen.queryByLabelText("Server"), screen.queryByText("Advanced")]).toEqual([null, null]);
  fireEvent.change(screen.getByLabelText("Calls at once"), { target: { value: "3" } });
  fireEvent.click(screen.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(sent).toEqual([{ label: "Sales", callsPerSecond: 1, channels: 3 }]));
});
