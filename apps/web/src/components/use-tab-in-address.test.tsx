// @vitest-environment happy-dom
import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { showScreens } from "../routes/testing/show-screens.tsx";
import { Tab, TabList, TabPanel, Tabs } from "../ui/tabs.tsx";
import { useTabInAddress } from "./use-tab-in-address.ts";

afterEach(cleanup);

function Lists() {
  return (
    <Tabs {...useTabInAddress(["recent", "missed"])}>
      <TabList aria-label="Calls">
        <Tab value="recent">Recent</Tab>
        <Tab value="missed">Missed</Tab>
      </TabList>
      <TabPanel value="recent">Recent calls</TabPanel>
      <TabPanel value="missed">Missed calls</TabPanel>
    </Tabs>
  );
}
const screens = { "/calls": Lists };

test("the chosen tab is in the address without a history entry, and a reload opens it again", async () => {
  const { router } = await showScreens({ at: "/calls", screens });
  expect(screen.getByText("Recent calls")).toBeTruthy();
  fireEvent.mouseDown(screen.getByRole("tab", { name: "Missed" }), { button: 0 });
  await screen.findByText("Missed calls");
  expect(location.pathname + location.search).toBe("/calls?tab=missed");
  expect(router.history.canGoBack()).toBe(false);
  cleanup();
  await showScreens({ at: location.pathname + location.search, screens });
  expect(screen.getByText("Missed calls")).toBeTruthy();
  fireEvent.mouseDown(screen.getByRole("tab", { name: "Recent" }), { button: 0 });
  await waitFor(() => expect(location.search).toBe(""));
});

test("a tab that the screen doesn't have opens the first", async () => {
  await showScreens({ at: "/calls?tab=nonsense", screens });
  expect(screen.getByText("Recent calls")).toBeTruthy();
});
