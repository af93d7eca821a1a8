// @vitest-environment happy-dom
import { Link } from "@tanstack/react-router";
import { act, cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { session } from "../data/session.ts";
import { showScreens } from "../routes/testing/show-screens.tsx";
import { LeadForm } from "./lead-form.tsx";

const save = vi.fn<() => Promise<void>>(async () => {});
beforeEach(() => session.store({ accessToken: "access", refreshToken: "refresh" }));
afterEach(() => {
  cleanup();
  session.clear();
  save.mockClear();
});

const Form = () => (
  <>
    <Link to="/calls">Calls</Link>
    <LeadForm
      onSave={save}
      saveLabel="Save"
      cancel={
        <Link to="/leads" ignoreBlocker>
          Cancel
        </Link>
      }
    />
  </>
);
const openForm = () =>
  showScreens({
    at: "/leads/new",
    screens: { "/leads/new": Form, "/leads": () => <h1>Leads</h1>, "/calls": () => <h1>Calls</h1> },
  });
const typeName = (name: string) => fireEvent.input(screen.getByLabelText("First name"), { target: { value: name } });
const press = (role: "button" | "link", name: string) =>
  act(async () => fireEvent.click(screen.getByRole(role, { name })));
const question = () => screen.queryByRole("dialog", { name: "Leave without saving?" });
/** Whether the browser would ask before the tab is closed. */
function tabAsks(): boolean {
  const event = new Event("beforeunload", { cancelable: true });
  window.dispatchEvent(event);
  return event.defaultPrevented;
}

test("a half-typed lead is asked about before another screen takes its place, and before the tab is closed", async () => {
  const { router } = await openForm();
  typeName("Bob");
  await waitFor(() => expect(tabAsks()).toBe(true));
  await press("link", "Calls");
  expect(question()).not.toBeNull();
  await press("button", "Stay");
  expect([question(), router.state.location.pathname]).toEqual([null, "/leads/new"]);
  expect(screen.getByLabelText<HTMLInputElement>("First name").value).toBe("Bob");
  await press("link", "Calls");
  await press("button", "Leave");
  await screen.findByRole("heading", { name: "Calls" });
});

test("nobody asks where nothing was entered, or all of it was taken back", async () => {
  await openForm();
  typeName("Bob");
  typeName("");
  await waitFor(() => expect(tabAsks()).toBe(false));
  await press("link", "Calls");
  await screen.findByRole("heading", { name: "Calls" });
  expect(question()).toBeNull();
});

test("Cancel says it itself, and who is logged out could not save any more", async () => {
  await openForm();
  typeName("Bob");
  await waitFor(() => expect(tabAsks()).toBe(true));
  session.clear();
  expect(tabAsks()).toBe(false);
  await press("link", "Cancel");
  await screen.findByRole("heading", { name: "Leads" });
});
