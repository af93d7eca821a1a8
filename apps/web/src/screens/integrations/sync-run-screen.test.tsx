// @vitest-environment happy-dom
import type { SyncRunDetails } from "@leadline/contract/integrations";
import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { crmServicesQuery } from "../../data/integrations-query.ts";
import { meQuery } from "../../data/me-query.ts";
import { showScreens } from "../../routes/testing/show-screens.tsx";
import { SyncRunScreen } from "./sync-run-screen.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const service = "harbour-crm";
const integration = { id: "an-integration", label: "Harbour", service };
const done: SyncRunDetails = {
  id: "a-run",
  status: "completed",
  total: 30,
  read: 30,
  created: 11,
  updated: 12,
  deleted: 13,
  kept: 14,
  failed: 2,
  problem: null,
  retryAt: null,
  createdAt: "2026-01-14T10:00:00Z",
  endedAt: "2026-01-14T10:00:05Z",
  integration,
  leftOut: [
    { externalId: "7", message: "It has no name.", url: "https://crm.example/7" },
    { externalId: "8", message: "It has no name.", url: null },
  ],
};

async function show(run: SyncRunDetails) {
  const started = vi.fn<(url: string) => void>();
  vi.stubGlobal("fetch", async (given: RequestInfo, init?: RequestInit) => {
    const { method, url } = new Request(given, init);
    if (method === "POST") started(new URL(url).pathname);
    const { integration: _, leftOut: __, ...next } = { ...done, id: "next" };
    return Response.json(method === "POST" ? next : url.includes("/syncs/") ? run : []);
  });
  const path = "/integrations/$integrationId/syncs/$runId";
  await showScreens({
    at: `/integrations/${integration.id}/syncs/${run.id}`,
    screens: { [path]: SyncRunScreen },
    known: [
      [crmServicesQuery.queryKey, [{ service, name: "Harbour CRM" }]],
      [meQuery.queryKey, { id: "me", activeOrganisation: { id: "harbour", role: "member" } }],
    ],
  });
  await screen.findByRole("heading", { name: "Sync of Harbour" });
  return { started };
}

test("shows a sync's counts, its length and each record that it left out, with a reason and a link", async () => {
  await show(done);
  const terms = screen.getAllByRole("term").map(({ textContent }) => textContent);
  const counts = screen.getAllByRole("definition").map(({ textContent }) => textContent);
  expect(Object.fromEntries(terms.map((term, at) => [term, counts[at]]))).toEqual({
    Result: "Done",
    Read: "30",
    New: "11",
    Changed: "12",
    Deleted: "13",
    "Deleted in the CRM, kept here": "14",
    "Left out": "2",
    Duration: "0:05",
  });
  expect(screen.getByRole("link", { name: "7" }).getAttribute("href")).toBe("https://crm.example/7");
  expect(screen.getAllByText("It has no name.")).toHaveLength(2);
  screen.getByText(/Correct them in Harbour CRM/);
});

test("Retry reads this sync's records again, and isn't offered without an error", async () => {
  const { started } = await show({ ...done, status: "failed", problem: "The CRM is away.", failed: 0, leftOut: [] });
  screen.getByText("The CRM is away.");
  fireEvent.click(screen.getByRole("button", { name: "Retry" }));
  await vi.waitFor(() =>
    expect(started).toHaveBeenCalledWith(`/api/v1/integrations/${integration.id}/syncs/${done.id}/retry`),
  );
  cleanup();
  await show({ ...done, id: "another", failed: 0, leftOut: [] });
  expect(screen.queryByRole("button", { name: "Retry" })).toBeNull();
});
