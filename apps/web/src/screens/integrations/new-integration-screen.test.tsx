// @vitest-environment happy-dom
import { cleanup, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { meQuery } from "../../data/me-query.ts";
import { showScreens } from "../../routes/testing/show-screens.tsx";
import { NewIntegrationScreen } from "./new-integration-screen.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test("a user without an organisation is told so, and no request is sent that would be refused", async () => {
  const fetched = vi.fn<typeof fetch>(async () => Response.json([]));
  vi.stubGlobal("fetch", fetched);
  await showScreens({
    at: "/integrations/new",
    screens: { "/integrations/new": NewIntegrationScreen, "/settings/organisations/new": () => null },
    known: [[meQuery.queryKey, { id: "me", activeOrganisation: null }]],
  });
  await screen.findByText("You need to be part of an organisation to use this feature.");
  await waitFor(() => expect(fetched).toHaveBeenCalled());
  const asked = fetched.mock.calls.map(([request]) => new URL(new Request(request).url).pathname);
  expect(asked).toEqual(["/api/v1/organisations"]);
});
