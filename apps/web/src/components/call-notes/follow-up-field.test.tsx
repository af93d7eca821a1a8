// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { addDays, dayIn } from "../format-time.ts";
import { meQuery } from "../../data/me-query.ts";
import { showScreens } from "../../routes/testing/show-screens.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { FollowUpField } from "./follow-up-field.tsx";

const chosen = vi.fn<(day: string | null) => void>();
beforeEach(() => chosen.mockClear());
afterEach(cleanup);

const list = () => screen.getByRole("combobox", { name: "Call back on" });
const dateField = () => screen.getByLabelText<HTMLInputElement>("Call back on");
const someDay = addDays(dayIn("UTC", new Date()), 400);

/** Chooses the last item by keyboard, which replaces the list with the date field. */
async function pickADay(around: (field: ReactNode) => ReactNode = (field) => field) {
  const { unmount } = await showScreens({
    at: "/calls",
    screens: { "/calls": () => around(<FollowUpField day={null} problem={null} onChoose={chosen} />) },
    known: [[meQuery.queryKey, { activeOrganisation: { timeZone: "UTC" } }]],
  });
  await act(async () => fireEvent.keyDown(list(), { key: "Enter" }));
  await act(async () => fireEvent.keyDown(screen.getByRole("option", { name: "Pick a day…" }), { key: "Enter" }));
  return { unmount };
}
const type = (value: string) => {
  fireEvent.keyDown(dateField(), { key: "1" });
  fireEvent.change(dateField(), { target: { value } });
};

test("moves the focus from the list to the date field and back, and saves a typed day once", async () => {
  await pickADay();
  expect(document.activeElement).toBe(dateField());
  type(`000${someDay.slice(3)}`);
  type(someDay);
  expect(chosen).not.toHaveBeenCalled();
  await act(async () => fireEvent.keyDown(dateField(), { key: "Enter" }));
  expect(chosen.mock.calls).toEqual([[someDay]]);
  expect(document.activeElement).toBe(list());
});

test("a date field that loses the focus takes it nowhere else, or returns it to the list", async () => {
  await pickADay();
  await act(async () => dateField().blur());
  expect(document.activeElement).toBe(list());
  expect(chosen).not.toHaveBeenCalled();
});

test("saves a typed day when the page is reloaded or the field removed", async () => {
  const { unmount } = await pickADay();
  type(someDay);
  window.dispatchEvent(new Event("pagehide"));
  expect(chosen.mock.calls).toEqual([[someDay]]);
  const nextDay = addDays(someDay, 1);
  type(nextDay);
  unmount();
  expect(chosen.mock.calls).toEqual([[someDay], [nextDay]]);
});

test("refuses a past day with a message", async () => {
  await pickADay();
  type("2020-02-02");
  await act(async () => fireEvent.keyDown(dateField(), { key: "Enter" }));
  expect(screen.getByRole("alert").textContent).toBe("Choose today or a later day.");
  expect(chosen).not.toHaveBeenCalled();
});

test("Escape in the date field returns to the list, and only closes a surrounding dialog from there", async () => {
  const closed = vi.fn<() => void>();
  await pickADay((field) => (
    <Dialog open onOpenChange={closed} title="Ann Rivers">
      {field}
    </Dialog>
  ));
  type(someDay);
  await act(async () => fireEvent.keyDown(dateField(), { key: "Escape" }));
  expect([closed.mock.calls, chosen.mock.calls]).toEqual([[], []]);
  expect(document.activeElement).toBe(list());
  await act(async () => fireEvent.keyDown(list(), { key: "Escape" }));
  expect(closed).toHaveBeenCalledOnce();
});
