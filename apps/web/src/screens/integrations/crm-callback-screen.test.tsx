// @vitest-environment happy-dom
import { CrmService } from "@leadline/contract/integrations";
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
  const at = `/integrations/${CrmService.options[0]}/callback?code=one&state=${encodeURIComponent(how)}`;
  const { router } = await showScreens({ at, screens, known: [[crmServicesQuery.queryKey, []]] });
  await screen.findByText("Success! Redirecting...");
  await act(leave);
  await screen.findByRole("heading", { name: "Integrations" });
  expect(router.history.canGoBack()).toBe(false);
});
