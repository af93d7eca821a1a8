// @vitest-environment happy-dom
import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
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
  concurrentCalls: 5,
  callsPerMinute: 10,
  dailySpend: 10_000_000,
  callMinutes: 240,
  used: { concurrentCalls: 0, callsPerMinute: 0, dailySpend: 0 },
};

test("limits saved by somebody else answer no standing question to leave, and take nothing typed away", async () => {
  const left = await leaveWhileOthersSave({
    form: (limits) => <LimitsForm limits={limits} mayChange />,
    before,
    after: { ...before, callsPerMinute: 20 },
    typed: ["Simultaneous calls", "7"],
    changed: "20",
  });
  expect(left).toEqual({ at: "/form", typed: "7" });
});

test("a fraction of a cent as the spending a day is refused in words, and nothing is saved", async () => {
  const fetched = vi.fn<() => Promise<Response>>(async () => Response.json({}));
  vi.stubGlobal("fetch", fetched);
  const screens = { "/limits": () => <LimitsForm limits={before} mayChange /> };
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
])("%s of “%s” is refused with “%s”, and no field is ever told to show NaN", async (label, value, words) => {
  const screens = { "/limits": () => <LimitsForm limits={before} mayChange /> };
  await showScreens({ at: "/limits", screens, known: [[limitsQuery.queryKey, before]] });
  const told = vi.spyOn(HTMLInputElement.prototype, "value", "set");
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
  fireEvent.click(screen.getByRole("button", { name: "Save changes" }));
  await screen.findByText(words);
  expect(screen.getByLabelText(label).getAttribute("value")).not.toBe("NaN");
  expect(told.mock.calls.map(String)).not.toContain("NaN");
});

test("what is saved is shown as a plain number, however it was written", async () => {
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
    return <LimitsForm limits={limits} mayChange />;
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
