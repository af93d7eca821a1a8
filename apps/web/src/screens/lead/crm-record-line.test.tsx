// @vitest-environment happy-dom
import type { Role } from "@leadline/contract/organisations";
import type { LeadWriting } from "@leadline/contract/written-leads";
import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { crmServicesQuery } from "../../data/integrations-query.ts";
import { meQuery } from "../../data/me-query.ts";
import { showScreens } from "../../routes/testing/show-screens.tsx";
import { CrmRecordLine } from "./crm-record-line.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const service = "harbour";
const name = "Harbour";
const written: LeadWriting = { state: "written", service, creates: false, problem: null, conflicts: [] };

async function show(writing: LeadWriting | null, role: Role = "member"): Promise<{ asked: string[] }> {
  const asked: string[] = [];
  const id = crypto.randomUUID();
  vi.stubGlobal("fetch", async (address: URL | string, { method = "GET" }: RequestInit = {}) => {
    asked.push(`${method} ${new URL(String(address), "http://localhost").pathname.replace(id, "id")}`);
    return Response.json(method === "POST" ? { ...writing, state: "waiting", problem: null } : { writing });
  });
  await showScreens({
    at: "/lead",
    screens: { "/lead": () => <CrmRecordLine leadId={id} /> },
    known: [
      [crmServicesQuery.queryKey, [{ service, name }]],
      [meQuery.queryKey, { id: "me", activeOrganisation: { id: "o", role } }],
    ],
  });
  return { asked };
}

test("a lead whose changes were sent is up to date in its CRM", async () => {
  await show(written);
  expect(await screen.findByText(`Up to date in ${name}`)).toBeDefined();
});

test("a change that waits says what for", async () => {
  await show({ ...written, state: "waiting", problem: "It asks to slow down." });
  expect(await screen.findByText(`Changes wait to be sent to ${name}.`, { exact: false })).toBeDefined();
  screen.getByText("It asks to slow down.");
});

test("names the fields in which the CRM's value was kept", async () => {
  await show({ ...written, conflicts: ["company", "jobTitle"] });
  expect(
    await screen.findByText(/^Company and job title were changed in \w+ as well, so \w+’s value was kept\./),
  ).toBeDefined();
});

test("a refused change says why, and can be retried", async () => {
  const { asked } = await show({ ...written, state: "failed", problem: "It requires a company." });
  expect(
    await screen.findByText(`Your changes are only in Leadline, not in ${name}. It requires a company.`),
  ).toBeDefined();
  fireEvent.click(screen.getByRole("button", { name: "Retry" }));
  await waitFor(() => expect(asked).toContain("POST /api/v1/leads/id/crm-record/retry"));
});

test("someone who only reads sees why, without Retry", async () => {
  await show({ ...written, state: "failed", creates: true, problem: "It requires a company." }, "analyst");
  expect(await screen.findByText(`Not created in ${name}. It requires a company.`)).toBeDefined();
  expect(screen.queryByRole("button", { name: "Retry" })).toBeNull();
});

test("a lead of which nothing was to be sent shows nothing", async () => {
  const { asked } = await show(null);
  await waitFor(() => expect(asked).toEqual(["GET /api/v1/leads/id/crm-record"]));
  expect(document.querySelector("svg")).toBeNull();
});
