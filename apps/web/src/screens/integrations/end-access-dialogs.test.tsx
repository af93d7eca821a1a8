// @vitest-environment happy-dom
import { cleanup, screen } from "@testing-library/react";
import { Integration } from "@leadline/contract/integrations";
import { afterEach, expect, test, vi } from "vitest";
import { crmServicesQuery } from "../../data/integrations-query.ts";
import { showScreens } from "../../routes/testing/show-screens.tsx";
import { RemoveDialog } from "./end-access-dialogs.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const services = [
  {
    service: "harbour-crm",
    name: "Harbour CRM",
    notRegistered: null,
    workspaceField: null,
    deletions: true,
    writingHelp: "",
    choosesSource: false,
    sandboxDomain: null,
  },
];

/** The dialog's text, once the server has answered. */
async function textWith(unwritten: { calls: number; leads: number }, status: "active" | "inactive" = "active") {
  const answered = vi.fn<() => Promise<Response>>(async () => Response.json(unwritten));
  vi.stubGlobal("fetch", answered);
  const integration = Integration.parse({
    id: crypto.randomUUID(),
    label: "Harbour",
    service: "harbour-crm",
    workspaceDomain: null,
    status,
    problem: null,
    sendsChanges: true,
    lastSync: null,
  });
  await showScreens({
    at: "/remove",
    screens: { "/remove": () => <RemoveDialog integration={integration} onClose={() => {}} /> },
    known: [[crmServicesQuery.queryKey, services]],
  });
  await vi.waitFor(() => expect(answered).toHaveBeenCalled());
  await new Promise((resolve) => setTimeout(resolve, 50));
  return screen.getByRole("dialog").textContent;
}

test.each([
  [
    { calls: 1, leads: 0 },
    "1 call isn’t in Harbour CRM yet. If you remove the integration, it never will be. To keep it waiting, disconnect instead.",
  ],
  [
    { calls: 1_200, leads: 0 },
    "1,200 calls aren’t in Harbour CRM yet. If you remove the integration, they never will be. To keep them waiting, disconnect instead.",
  ],
  [
    { calls: 0, leads: 1 },
    "The changes of 1 lead aren’t in Harbour CRM yet. If you remove the integration, they never will be.",
  ],
  [{ calls: 1, leads: 1 }, "1 call and the changes of 1 lead aren’t in Harbour CRM yet."],
  [{ calls: 3, leads: 2 }, "3 calls and the changes of 2 leads aren’t in Harbour CRM yet."],
])("removing an integration says what the CRM doesn’t have yet: %o", async (unwritten, text) => {
  expect(await textWith(unwritten)).toContain(text);
});

test("removing an integration says nothing about writing if the CRM has everything", async () => {
  expect(await textWith({ calls: 0, leads: 0 })).not.toMatch(/yet|disconnect/);
});

test("an integration that is disconnected already isn’t to be disconnected instead", async () => {
  const text = await textWith({ calls: 3, leads: 0 }, "inactive");
  expect(text).toContain("3 calls aren’t in Harbour CRM yet.");
  expect(text).not.toContain("disconnect instead");
});
