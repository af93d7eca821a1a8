// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { crmServicesQuery } from "../../data/integrations-query.ts";
import { showScreens } from "../../routes/testing/show-screens.tsx";
import { CrmCallbackScreen } from "./crm-callback-screen.tsx";

afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const crms = [{ service: "harbour-crm", name: "Harbour CRM", choosesSource: false }];
const screens = {
  "/integrations/$service/callback": CrmCallbackScreen,
  "/integrations": () => <h1>Integrations</h1>,
};

test.each([
  ["by itself", async () => void (await vi.advanceTimersByTimeAsync(5_000))],
  ["by Go now", async () => void fireEvent.click(screen.getByRole("link", { name: "Go now" }))],
])("once a CRM is connected, the page is left %s, and Back doesn't return to the used response", async (how, leave) => {
  vi.stubGlobal("fetch", async () => Response.json({ label: "Our CRM" }));
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const at = `/integrations/harbour-crm/callback?code=one&state=${encodeURIComponent(how)}`;
  const { router } = await showScreens({ at, screens, known: [[crmServicesQuery.queryKey, crms]] });
  await screen.findByText("Success! Redirecting...");
  await act(leave);
  await screen.findByRole("heading", { name: "Integrations" });
  expect(router.history.canGoBack()).toBe(false);
});

test("the callback of a CRM that the server doesn't know is a page that doesn't exist", async () => {
  const at = "/integrations/another-crm/callback?code=one&state=two";
  await showScreens({ at, screens, known: [[crmServicesQuery.queryKey, crms]] });
  expect(await screen.findByText(/There is no page at this address/)).toBeDefined();
});
