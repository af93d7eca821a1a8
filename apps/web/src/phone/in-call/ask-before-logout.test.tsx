// @vitest-environment happy-dom
import { Link, Outlet } from "@tanstack/react-router";
import { act, cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { showScreens } from "../../routes/testing/show-screens.tsx";
import { PhoneContext } from "../phone-context.ts";
import { openTestPhone } from "../testing/open-test-phone.ts";
import { AskBeforeLogout } from "./ask-before-logout.tsx";

beforeEach(() => localStorage.setItem("leadline.access-token", "for-the-test-server"));
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const Leads = () => <Link to="/logout">Log out</Link>;

async function showLeads() {
  const opened = openTestPhone();
  const layout = () => (
    <PhoneContext value={opened.phone}>
      <AskBeforeLogout />
      <Outlet />
    </PhoneContext>
  );
  const screens = { "/leads": Leads, "/calls": () => null, "/logout": () => "Logging out" };
  const { router } = await showScreens({ at: "/leads", screens, layout });
  return { ...opened, router };
}
const logOut = () => act(async () => fireEvent.click(screen.getByText("Log out")));
const answer = async (name: string) => fireEvent.click(await screen.findByRole("button", { name }));

test("a rep who logs out during a call is asked first, and stays or ends it and logs out", async () => {
  const { phone, router } = await showLeads();
  await act(() => phone.start("+12025550100"));
  await logOut();
  expect((await screen.findByRole("dialog", { name: "You’re on a call" })).textContent).toContain(
    "Logging out ends the call.",
  );
  await answer("Stay");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect([router.state.location.pathname, phone.getState().phase]).toEqual(["/leads", "live"]);
  await logOut();
  await answer("End call and log out");
  await screen.findByText("Logging out");
  expect(phone.getState().phase).toBe("ended");
});

test("logging out without a call, or opening another screen during one, asks nothing", async () => {
  const { phone, router } = await showLeads();
  await act(() => phone.start("+12025550100"));
  await act(() => router.navigate({ to: "/calls" }));
  expect(router.state.location.pathname).toBe("/calls");
  await act(() => phone.hangUp());
  await act(() => router.navigate({ to: "/logout" }));
  await screen.findByText("Logging out");
});
