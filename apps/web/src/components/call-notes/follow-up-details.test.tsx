// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { meQuery } from "../../data/me-query.ts";
import { membersQuery } from "../../data/members-query.ts";
import { showScreens } from "../../routes/testing/show-screens.tsx";
import { FollowUpDetails } from "./follow-up-details.tsx";

afterEach(() => {
  vi.useRealTimers();
  cleanup();
  vi.unstubAllGlobals();
});

const me = { userId: "me", name: "Robin Tester" };
const members = [
  { userId: "me", firstName: "Robin", lastName: "Tester", role: "member" },
  { userId: "ann", firstName: "Ann", lastName: "Analyst", role: "analyst" },
  { userId: "eve", firstName: "Eve", lastName: "Lo", role: "owner" },
];

const dayAhead = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10);

async function openDetails(
  followUp = { followUpOn: dayAhead, followUpTime: "14:30" as string | null, followUpOwner: me },
  timeZone = "UTC",
) {
  const changes: object[] = [];
  const { unmount } = await showScreens({
    at: "/lead",
    screens: { "/lead": () => <FollowUpDetails followUp={followUp} onChange={(change) => changes.push(change)} /> },
    known: [
      [meQuery.queryKey, { id: "me", activeOrganisation: { id: "harbour", role: "member", timeZone } }],
      [membersQuery.queryKey, members],
    ],
  });
  return { changes, unmount };
}
const time = () => screen.getByLabelText<HTMLInputElement>(/^Call back at/);

test("saves a time on blur and on Enter, but not if it hasn't changed", async () => {
  const { changes } = await openDetails();
  fireEvent.blur(time());
  fireEvent.change(time(), { target: { value: "15:00" } });
  expect(changes).toEqual([]);
  fireEvent.blur(time());
  fireEvent.change(time(), { target: { value: "" } });
  fireEvent.keyDown(time(), { key: "Enter" });
  expect(changes).toEqual([{ followUpTime: "15:00" }, { followUpTime: null }]);
});

test("saves a typed time while the field keeps the focus, and when the page is reloaded or the field removed", async () => {
  const { changes, unmount } = await openDetails();
  vi.useFakeTimers();
  fireEvent.change(time(), { target: { value: "15:00" } });
  vi.advanceTimersByTime(2_000);
  expect(changes).toEqual([{ followUpTime: "15:00" }]);
  fireEvent.change(time(), { target: { value: "15:10" } });
  window.dispatchEvent(new Event("pagehide"));
  expect(changes.slice(1)).toEqual([{ followUpTime: "15:10" }]);
  fireEvent.change(time(), { target: { value: "15:20" } });
  unmount();
  expect(changes.slice(2)).toEqual([{ followUpTime: "15:20" }]);
});

test("refuses a half-typed time with a message, and never saves it", async () => {
  const { changes, unmount } = await openDetails();
  Object.defineProperty(time(), "validity", { value: { badInput: true } });
  fireEvent.change(time(), { target: { value: "" } });
  fireEvent.blur(time());
  expect(screen.getByRole("alert").textContent).toBe("Enter a full time, or clear the field.");
  unmount();
  expect(changes).toEqual([]);
});

test("another member can be chosen to call back, or no one, and then nobody is reminded", async () => {
  const { changes } = await openDetails();
  const choose = async (name: string) => {
    await act(async () => fireEvent.keyDown(screen.getByRole("combobox"), { key: "Enter" }));
    await act(async () => fireEvent.keyDown(screen.getByRole("option", { name }), { key: "Enter" }));
  };
  await choose("Eve Lo");
  await choose("Unassigned");
  expect(changes).toEqual([{ followUpOwner: { userId: "eve", name: "Eve Lo" } }, { followUpOwner: null }]);
});

test("an analyst isn't offered, but is shown if they own it already", async () => {
  const offered = async () => {
    await act(async () => fireEvent.keyDown(screen.getByRole("combobox"), { key: "Enter" }));
    return screen.getAllByRole("option").map((option) => option.textContent);
  };
  await openDetails();
  expect(await offered()).toEqual(["Unassigned", "Robin Tester", "Eve Lo"]);
  cleanup();
  const followUpOwner = { userId: "ann", name: "Ann Analyst" };
  await openDetails({ followUpOn: dayAhead, followUpTime: null, followUpOwner });
  expect(await offered()).toEqual(["Unassigned", "Ann Analyst", "Robin Tester", "Eve Lo"]);
});

test("asks the browser for notification permission only on a click, and only for the owner", async () => {
  const requestPermission = vi.fn<() => Promise<string>>(async () => "granted");
  vi.stubGlobal(
    "Notification",
    Object.assign(() => {}, { permission: "default", requestPermission }),
  );
  await openDetails();
  expect(requestPermission).not.toHaveBeenCalled();
  await act(async () => fireEvent.click(screen.getByRole("button", { name: "Turn on notifications" })));
  expect(requestPermission).toHaveBeenCalledOnce();
  expect(screen.queryByRole("button")).toBeNull();
  cleanup();
  await openDetails({ followUpOn: dayAhead, followUpTime: null, followUpOwner: { userId: "eve", name: "Eve Lo" } });
  expect(screen.queryByRole("button", { name: "Turn on notifications" })).toBeNull();
});

test("promises a reminder only for a time in the future", async () => {
  await openDetails();
  expect(screen.getByText(/^Reminder at 2:30/)).toBeTruthy();
  cleanup();
  await openDetails({ followUpOn: "2026-01-14", followUpTime: null, followUpOwner: me });
  expect(screen.getByText(/^9:00.* has passed\./)).toBeTruthy();
});

test("names the organisation's time zone if it isn't the reader's", async () => {
  await openDetails(undefined, "Pacific/Kiritimati");
  expect(screen.getByText("In Pacific/Kiritimati time")).toBeTruthy();
});
