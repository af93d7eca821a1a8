// @vitest-environment happy-dom
import { noOwnLimits } from "@leadline/contract/limits";
import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { useEffect, useState } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { leaveWhileOthersSave } from "../../components/testing/leave-while-others-save.tsx";
import { limitsQuery } from "../../data/limits-query.ts";
import { queryClient } from "../../data/query-client.ts";
import { showScreens } from "../../routes/testing/show-screens.tsx";
import { LimitsForm } from "./limits-form.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const before = {
  allowedCountries: ["US"],
  blockedPrefixes: ["+4470"],
  ratePerMinute: null,
  own: noOwnLimits,
  concurrentCalls: 5,
  callsPerMinute: 10,
  dailySpend: 10_000_000,
  dailySpendIsDefault: true,
  callMinutes: 240,
  used: { concurrentCalls: 0, callsPerMinute: 0, dailySpend: 0, unpricedCalls: 0 },
};

test("another user's save of the limits doesn't answer an open question to leave, and keeps what was typed", async () => {
  const left = await leaveWhileOthersSave({
    form: (limits) => <LimitsForm limits={limits} />,
    before,
    after: { ...before, callsPerMinute: 20 },
    typed: ["Simultaneous calls", "7"],
    changed: "20",
  });
  expect(left).toEqual({ at: "/form", typed: "7" });
});

test("refuses a fraction of a cent as the daily spending, and saves nothing", async () => {
  const fetched = vi.fn<() => Promise<Response>>(async () => Response.json({}));
  vi.stubGlobal("fetch", fetched);
  const screens = { "/limits": () => <LimitsForm limits={before} /> };
  await showScreens({ at: "/limits", screens, known: [[limitsQuery.queryKey, before]] });
  fireEvent.change(screen.getByLabelText("Spending per day"), { target: { value: "0.001" } });
  fireEvent.click(screen.getByRole("button", { name: "Save changes" }));
  await screen.findByText("Enter dollars with at most two decimals, such as 12.50.");
  expect(fetched).not.toHaveBeenCalled();
});

test.each([
  ["Spending per day", "99999999999999999999", "At most $1,000,000 a day."],
  ["Spending per day", "-99999999999999999999", "Enter an amount of $0 or more."],
  ["Spending per day", "", "Enter an amount."],
  ["Calls per minute", "99999999999999999999", "At most 1,000 calls a minute."],
  ["Simultaneous calls", "1.5", "Enter a whole number."],
  ["Simultaneous calls", "", "Enter a whole number."],
  ["Maximum call length", "1441", "At most 1,440 minutes, which is a day."],
])("%s of “%s” is refused with “%s”, and no field ever shows NaN", async (label, value, words) => {
  const screens = { "/limits": () => <LimitsForm limits={before} /> };
  await showScreens({ at: "/limits", screens, known: [[limitsQuery.queryKey, before]] });
  const told = vi.spyOn(HTMLInputElement.prototype, "value", "set");
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
  fireEvent.click(screen.getByRole("button", { name: "Save changes" }));
  await screen.findByText(words);
  expect(screen.getByLabelText(label).getAttribute("value")).not.toBe("NaN");
  expect(told.mock.calls.map(String)).not.toContain("NaN");
});

test("shows a saved value as a plain number, however it was typed", async () => {
  vi.stubGlobal("fetch", async (_url: string, init: RequestInit) =>
    Response.json({ ...before, ...JSON.parse(String(init.body)) }),
  );
  function Screen() {
    const [limits, setLimits] = useState(before);
    useEffect(
      () =>
        queryClient.getQueryCache().subscribe(({ query }) => {
          if (query.state.data) setLimits(query.state.data);
        }),
      [],
    );
    return <LimitsForm limits={limits} />;
  }
  await showScreens({ at: "/limits", screens: { "/limits": Screen } });
  const labels = ["Simultaneous calls", "Calls per minute", "Spending per day"];
  const shown = () => labels.map((label) => screen.getByLabelText<HTMLInputElement>(label).value);
  for (const [index, value] of ["1e1", "1e2", "1e3"].entries())
    fireEvent.change(screen.getByLabelText(labels[index] ?? ""), { target: { value } });
  expect(shown()).toEqual(["1e1", "1e2", "1e3"]);
  fireEvent.click(screen.getByRole("button", { name: "Save changes" }));
  await waitFor(() => expect(shown()).toEqual(["10", "100", "1000"]));
});

test("raising a limit asks for the password, asks again after a wrong one, and saves nothing if canceled", async () => {
  const sent: { currentPassword?: string; ratePerMinute: number | null }[] = [];
  vi.stubGlobal("fetch", async (_url: string, init: RequestInit) => {
    const body = JSON.parse(String(init.body));
    sent.push(body);
    const refuse = (status: number, code: string, detail: string) =>
      Response.json({ type: `/api/docs#${code}`, title: "No", status, detail }, { status });
    if (body.currentPassword === undefined) return refuse(403, "password-required", "Enter your password to raise it.");
    if (body.currentPassword !== "mine") return refuse(401, "wrong-credentials", "Incorrect current password.");
    return Response.json({ ...before, ...body });
  });
  const screens = { "/limits": () => <LimitsForm limits={before} /> };
  await showScreens({ at: "/limits", screens, known: [[limitsQuery.queryKey, before]] });
  fireEvent.change(screen.getByLabelText("Highest price per minute"), { target: { value: "0.5" } });
  fireEvent.click(screen.getByRole("button", { name: "Save changes" }));
  await screen.findByText("Enter your password to raise it.");
  fireEvent.click(screen.getByRole("button", { name: "Cancel" }));
  await screen.findByRole("alert");
  expect(sent).toHaveLength(1);

  fireEvent.click(screen.getByRole("button", { name: "Save changes" }));
  for (const password of ["yours", "mine"]) {
    fireEvent.change(await screen.findByLabelText("Your password"), { target: { value: password } });
    fireEvent.click(screen.getByRole("button", { name: "Confirm" }));
    if (password === "yours") await screen.findByText("Incorrect current password.");
  }
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(sent.map(({ currentPassword }) => currentPassword)).toEqual([undefined, undefined, "yours", "mine"]);
  expect(sent.at(-1)?.ratePerMinute).toBe(500_000);
});

test("blocks and unblocks prefixes in number format, and refuses invalid ones", async () => {
  const screens = { "/limits": () => <LimitsForm limits={before} /> };
  await showScreens({ at: "/limits", screens, known: [[limitsQuery.queryKey, before]] });
  const listed = () => within(screen.getByRole("list", { name: "Blocked prefixes" })).getAllByRole("listitem");
  const block = (value: string) => {
    fireEvent.change(screen.getByRole("textbox", { name: "Blocked prefixes" }), { target: { value } });
    fireEvent.click(screen.getByRole("button", { name: "Block" }));
  };
  block("900");
  await screen.findByText("Enter the start of a number with its country code, such as +44 70.");
  block("+1 (900)");
  expect(listed().map(({ textContent }) => textContent)).toEqual(["+1900", "+4470"]);
  fireEvent.click(screen.getByRole("button", { name: "Unblock +4470" }));
  expect(listed().map(({ textContent }) => textContent)).toEqual(["+1900"]);
});

test.each([
  [true, "or set a daily limit, which refuses such calls", "until you change this limit, and are refused after that."],
  [false, "such calls are refused now", "are refused, because they can’t be counted."],
])(
  "says how many calls today had no known price, and what happens to such calls (default limit: %s)",
  async (dailySpendIsDefault, remedy, help) => {
    const limits = { ...before, dailySpendIsDefault, used: { ...before.used, unpricedCalls: 2 } };
    const screens = { "/limits": () => <LimitsForm limits={limits} /> };
    await showScreens({ at: "/limits", screens, known: [[limitsQuery.queryKey, limits]] });
    const notice = screen.getByText(/^2 answered calls today had no known price and count as \$0\./);
    expect(notice.textContent).toContain(remedy);
    screen.getByText(new RegExp(help.replaceAll(/[$.]/g, "\\$&")));
  },
);

test("saves only what was changed, so that the default daily limit stays the default", async () => {
  const sent: unknown[] = [];
  vi.stubGlobal("fetch", async (_url: string, init: RequestInit) => {
    const body = JSON.parse(String(init.body));
    sent.push(body);
    return Response.json({ ...before, ...body });
  });
  const screens = { "/limits": () => <LimitsForm limits={before} /> };
  await showScreens({ at: "/limits", screens, known: [[limitsQuery.queryKey, before]] });
  fireEvent.change(screen.getByLabelText("Calls per minute"), { target: { value: "9" } });
  fireEvent.click(screen.getByRole("button", { name: "Save changes" }));
  await waitFor(() => expect(sent).toEqual([{ callsPerMinute: 9 }]));
});

test("doesn't save while an invalid prefix is typed, goes to its field, and saves one that wasn't added with Block", async () => {
  const sent: unknown[] = [];
  vi.stubGlobal("fetch", async (_url: string, init: RequestInit) => {
    const body = JSON.parse(String(init.body));
    sent.push(body);
    return Response.json({ ...before, ...body });
  });
  const screens = { "/limits": () => <LimitsForm limits={before} /> };
  await showScreens({ at: "/limits", screens, known: [[limitsQuery.queryKey, before]] });
  const field = screen.getByRole("textbox", { name: "Blocked prefixes" });
  const typeAndSave = (value: string) => {
    fireEvent.change(field, { target: { value } });
    fireEvent.click(screen.getByRole("button", { name: "Save changes" }));
  };
  typeAndSave("900");
  await screen.findByText("Enter the start of a number with its country code, such as +44 70.");
  await waitFor(() => expect(document.activeElement).toBe(field));
  expect(sent).toEqual([]);
  typeAndSave("+1 (900)");
  await waitFor(() => expect(sent).toEqual([{ blockedPrefixes: ["+1900", "+4470"] }]));
});
