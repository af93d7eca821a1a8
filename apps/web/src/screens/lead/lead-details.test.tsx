// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { bob } from "../../data/testing/some-lead.ts";
import { meQuery } from "../../data/me-query.ts";
import { membersQuery } from "../../data/members-query.ts";
import { showScreens } from "../../routes/testing/show-screens.tsx";
import { LeadDetails } from "./lead-details.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const lead = { ...bob, phone: "", phoneNumber: null, followUpOn: "2126-11-30" };
const day = () => screen.getByLabelText<HTMLInputElement>("Call back on");
const type = (value: string) =>
  act(async () => {
    fireEvent.keyDown(day(), { key: "1" });
    fireEvent.change(day(), { target: { value } });
  });

/** Returns the days that were sent to the server. */
async function openDetails(): Promise<unknown[]> {
  const sent: unknown[] = [];
  vi.stubGlobal("fetch", async (_url: string, init: RequestInit) => {
    const change = typeof init.body === "string" ? JSON.parse(init.body) : {};
    sent.push(change.followUpOn);
    return Response.json({ ...lead, ...change });
  });
  await showScreens({
    at: "/lead",
    screens: { "/lead": () => <LeadDetails lead={lead} /> },
    known: [
      [meQuery.queryKey, { activeOrganisation: { timeZone: "UTC" } }],
      [membersQuery.queryKey, []],
    ],
  });
  return sent;
}

test("a callback day typed over another is saved once, when complete, on blur or Enter", async () => {
  const sent = await openDetails();
  for (const half of ["", "0002-01-31", "0020-01-31", "0202-01-31", "2127-01-31"]) await type(half);
  expect(sent).toEqual([]);
  await act(async () => fireEvent.blur(day()));
  expect(sent).toEqual(["2127-01-31"]);
  await type("2128-02-01");
  await act(async () => fireEvent.keyDown(day(), { key: "Enter" }));
  expect(sent).toEqual(["2127-01-31", "2128-02-01"]);
});

test("saves a typed call-back day while the field keeps the focus", async () => {
  const sent = await openDetails();
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  await type("2127-01-31");
  await act(async () => vi.advanceTimersByTime(1_600));
  expect(sent).toEqual(["2127-01-31"]);
  await type("0002-02-01");
  await act(async () => vi.advanceTimersByTime(10_000));
  expect(sent).toEqual(["2127-01-31"]);
});

test("saves a typed call-back day when the page is left", async () => {
  const sent = await openDetails();
  await type("2127-01-31");
  cleanup();
  await vi.waitFor(() => expect(sent).toEqual(["2127-01-31"]));
});

test("a past day is refused, and the saved one stays", async () => {
  const sent = await openDetails();
  await type("2020-01-31");
  await act(async () => fireEvent.blur(day()));
  expect(screen.getByRole("alert").textContent).toBe("Choose today or a later day.");
  expect(sent).toEqual([]);
});

test("saves a day that is picked or cleared in the browser's calendar at once", async () => {
  const sent = await openDetails();
  await act(async () => fireEvent.change(day(), { target: { value: "2126-12-24" } }));
  await act(async () => fireEvent.change(day(), { target: { value: "" } }));
  expect(sent).toEqual(["2126-12-24", null]);
});

test.each(["9999-01-01", "0202-11-30"])(
  "%s is not accepted as a callback day, and the page says which days are",
  async (typed) => {
    const sent = await openDetails();
    await type(typed);
    await act(async () => fireEvent.blur(day()));
    expect(screen.getByRole("alert").textContent).toBe("Enter a day between the years 1900 and 2199.");
    await act(async () => fireEvent.keyDown(day(), { key: "Escape" }));
    expect(screen.queryByRole("alert")).toBeNull();
    expect(day().value).toBe("2126-11-30");
    expect(sent).toEqual([]);
  },
);
