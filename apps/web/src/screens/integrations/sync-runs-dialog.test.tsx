// @vitest-environment happy-dom
import { Integration, type SyncRun } from "@leadline/contract/integrations";
import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { syncRunsQuery } from "../../data/integrations-query.ts";
import { showScreens } from "../../routes/testing/show-screens.tsx";
import { SyncRunsDialog } from "./sync-runs-dialog.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const asked: SyncRun = {
  id: "a-run",
  status: "completed",
  total: 30,
  read: 30,
  created: 11,
  updated: 12,
  deleted: 13,
  kept: 14,
  failed: 15,
  problem: null,
  retryAt: null,
  createdAt: "2026-01-14T10:00:00Z",
  endedAt: "2026-01-14T10:00:05Z",
};

async function show({ run, deletions, further = {} }: { run: SyncRun; deletions: boolean; further?: object }) {
  vi.stubGlobal("fetch", async () => Response.json([run]));
  const integration = Integration.parse({
    id: crypto.randomUUID(),
    label: "Harbour",
    service: "harbour-crm",
    workspaceDomain: null,
    status: "active",
    problem: null,
    sendsChanges: false,
    lastSync: null,
    ...further,
  });
  await showScreens({
    at: "/runs",
    screens: {
      "/runs": () => (
        <SyncRunsDialog integration={integration} serviceName="A CRM" deletions={deletions} onClose={() => {}} />
      ),
    },
    known: [[syncRunsQuery(integration.id).queryKey, [run]]],
  });
  const texts = (role: "columnheader" | "cell") => screen.getAllByRole(role).map(({ textContent }) => textContent);
  return { heads: texts("columnheader").slice(2), cells: texts("cell") };
}

const whole = ["Read", "New", "Changed", "Deleted", "Kept", "Left out"];

test.each([
  [
    "count what was deleted in the CRM and kept here, between the deleted and the left out",
    true,
    whole,
    ["30", "11", "12", "13", "14", "15"],
  ],
  [
    "say nothing of deletions where the CRM tells none",
    false,
    ["Read", "New", "Changed", "Left out"],
    ["30", "11", "12", "15"],
  ],
])("the last syncs %s", async (_, deletions, heads, counts) => {
  const shown = await show({ run: asked, deletions });
  expect(shown.heads).toEqual(heads);
  expect(shown.cells.slice(2)).toEqual(counts);
  expect(shown.cells[0]).not.toMatch(/Scheduled|Weekly/);
});

test.each([
  ["Scheduled", false, ["Read", "New", "Changed", "Left out"]],
  ["Weekly full sync", true, whole],
])("labels an automatic sync: %s", async (words, comparesAll, heads) => {
  const shown = await show({ run: { ...asked, scheduled: true, comparesAll }, deletions: false });
  expect(shown.cells[0]).toContain(words);
  expect(shown.heads).toEqual(heads);
});

test.each([
  ["day", 0, /^1,234 of 15,000 A CRM requests left today, as of /],
  ["hour", 0, /^1,234 of 15,000 A CRM requests left this hour, as of /],
  ["hour", 3_700_000, /^nothing$/],
])("says how many requests are left in this %s, unless it was read %s ms ago", async (per, agoMs, words) => {
  const readAt = new Date(Date.now() - agoMs).toISOString();
  await show({ run: asked, deletions: true, further: { requestLimit: { left: 1_234, most: 15_000, per, readAt } } });
  expect(screen.queryByText(/requests left/)?.textContent ?? "nothing").toMatch(words);
});
