// @vitest-environment happy-dom
import type { CrmServiceDescription } from "@leadline/contract/integrations";
import { Link } from "@tanstack/react-router";
import { act, cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { session } from "../../data/session.ts";
import { showScreens } from "../../routes/testing/show-screens.tsx";
import { IntegrationForm } from "./integration-form.tsx";

beforeEach(() => session.store({ accessToken: "access", refreshToken: "refresh" }));
afterEach(() => {
  cleanup();
  session.clear();
  vi.unstubAllGlobals();
});

const service = "harbour-crm";
const openForm = (services: readonly CrmServiceDescription[] = []) =>
  showScreens({
    at: "/integrations/new",
    screens: {
      "/integrations/new": () => (
        <>
          <Link to="/calls">Calls</Link>
          <IntegrationForm services={services} />
        </>
      ),
      "/integrations": () => null,
      "/calls": () => <h1>Calls</h1>,
    },
  });
const typeLabel = (label: string) =>
  act(async () => fireEvent.input(screen.getByLabelText("Label"), { target: { value: label } }));
const goToCalls = () => act(async () => fireEvent.click(screen.getByRole("link", { name: "Calls" })));
const question = () => screen.queryByRole("dialog", { name: "Leave without saving?" });

test("focuses the first error, even if it is a list", async () => {
  await openForm();
  await act(async () => fireEvent.click(screen.getByRole("button", { name: "Add integration" })));
  await vi.waitFor(() => expect(document.activeElement?.textContent).toBe("Select a service"));
});

test("a label that is typed and removed isn't an unsaved change; one that stays is", async () => {
  const { router } = await openForm();
  await typeLabel("Harbour sales");
  await goToCalls();
  expect(question()).not.toBeNull();
  await act(async () => fireEvent.click(screen.getByRole("button", { name: "Stay" })));
  await typeLabel("");
  await goToCalls();
  expect([question(), router.state.location.pathname]).toEqual([null, "/calls"]);
});

test("a service's form follows its description, and sends nothing that is too short", async () => {
  const workspaceField = { label: "Company address", help: "It is on your bill.", minLength: 3, missing: "Name it." };
  await openForm([
    {
      service,
      name: "Harbour CRM",
      notRegistered: null,
      workspaceField,
      deletions: true,
      writingHelp: "",
      choosesSource: false,
      sandboxDomain: null,
    },
  ]);
  expect(screen.queryByLabelText("Company address")).toBeNull();
  await act(async () => fireEvent.click(screen.getByRole("combobox", { name: "Service" })));
  await act(async () => fireEvent.click(screen.getByRole("option", { name: "Harbour CRM" })));
  await typeLabel("Harbour sales");
  screen.getByText("It is on your bill.");
  await act(async () => fireEvent.input(screen.getByLabelText("Company address"), { target: { value: "ab" } }));
  await act(async () => fireEvent.click(screen.getByRole("button", { name: "Add integration" })));
  await screen.findByText("Name it.");
});

test("a service without a registered app on this server can only be added with its sandbox", async () => {
  const notRegistered = "The administrator of this server must set HARBOUR_ID.";
  const none = { notRegistered, workspaceField: null, deletions: true, writingHelp: "", choosesSource: false };
  await openForm([{ service, name: "Harbour CRM", ...none, sandboxDomain: "crm.sandbox.test" }]);
  await act(async () => fireEvent.click(screen.getByRole("combobox", { name: "Service" })));
  await act(async () => fireEvent.click(screen.getByRole("option", { name: "Harbour CRM" })));
  screen.getByText(/must set HARBOUR_ID\. Until then, there is a sandbox CRM/);
  await typeLabel("Harbour sales");
  await act(async () => fireEvent.click(screen.getByRole("button", { name: "Add integration" })));
  await screen.findByText(notRegistered);
  await act(async () => fireEvent.click(screen.getByRole("button", { name: "Use the sandbox" })));
  await vi.waitFor(() => expect(screen.queryByText(/HARBOUR_ID/)).toBeNull());
});

test("a service with a domain shows what its server must set before it can be connected, and can be added", async () => {
  const notRegistered = "The administrator of this server must set HARBOUR_ID.";
  const sent: unknown[] = [];
  vi.stubGlobal("fetch", async (input: RequestInfo, init?: RequestInit) => {
    const request = new Request(input, init);
    if (request.method === "POST") sent.push(await request.json());
    return Response.json(request.method === "POST" ? { label: "Harbour sales" } : []);
  });
  const workspaceField = { label: "Company address", help: "It is on your bill.", minLength: 3, missing: "Name it." };
  const rest = { deletions: true, writingHelp: "", choosesSource: false, sandboxDomain: null };
  await openForm([{ service, name: "Harbour CRM", notRegistered, workspaceField, ...rest }]);
  await act(async () => fireEvent.click(screen.getByRole("combobox", { name: "Service" })));
  await act(async () => fireEvent.click(screen.getByRole("option", { name: "Harbour CRM" })));
  screen.getByText("Harbour CRM can’t be connected yet");
  screen.getByText(notRegistered);
  await typeLabel("Harbour sales");
  const domain = screen.getByLabelText("Company address");
  await act(async () => fireEvent.input(domain, { target: { value: "acme.harbour.example" } }));
  await act(async () => fireEvent.click(screen.getByRole("button", { name: "Add integration" })));
  await vi.waitFor(() => expect(sent).toMatchObject([{ workspaceDomain: "acme.harbour.example" }]));
});

test.each([
  ["chosen in its place", [], { workspaceDomain: "crm.sandbox.test" }],
  ["taken back", ["Use Harbour CRM"], {}],
])("the sandbox of a service without a domain can be %s", async (_, further, domain) => {
  const sent: unknown[] = [];
  vi.stubGlobal("fetch", async (input: RequestInfo, init?: RequestInit) => {
    const request = new Request(input, init);
    if (request.method === "POST") sent.push(await request.json());
    return Response.json(request.method === "POST" ? { label: "Harbour sales" } : []);
  });
  const none = { notRegistered: null, workspaceField: null, deletions: true, writingHelp: "", choosesSource: false };
  await openForm([{ service, name: "Harbour CRM", ...none, sandboxDomain: "crm.sandbox.test" }]);
  await act(async () => fireEvent.click(screen.getByRole("combobox", { name: "Service" })));
  await act(async () => fireEvent.click(screen.getByRole("option", { name: "Harbour CRM" })));
  await typeLabel("Harbour sales");
  for (const name of ["Use the sandbox", ...further, "Add integration"])
    await act(async () => fireEvent.click(screen.getByRole("button", { name })));
  await vi.waitFor(() => expect(sent).toEqual([{ service, label: "Harbour sales", ...domain }]));
});
