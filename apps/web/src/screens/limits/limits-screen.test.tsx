// @vitest-environment happy-dom
import { noOwnLimits } from "@leadline/contract/limits";
import { cleanup, screen, within } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { PageOrganisation } from "../../components/use-page-organisation.ts";
import { limitsQuery } from "../../data/limits-query.ts";
import { quay } from "../../data/testing/some-organisation.ts";
import { showScreens } from "../../routes/testing/show-screens.tsx";
import { LimitsScreen } from "./limits-screen.tsx";

afterEach(cleanup);

test("a member reads the limits, and those of their own, without fields or buttons", async () => {
  const limits = {
    allowedCountries: ["US", "DE"],
    blockedPrefixes: [],
    ratePerMinute: null,
    own: { ...noOwnLimits, dailySpend: 5_000_000 },
    concurrentCalls: 5,
    callsPerMinute: 10,
    dailySpend: 50_000_000,
    dailySpendIsDefault: true,
    callMinutes: 240,
    used: { concurrentCalls: 1, callsPerMinute: 0, dailySpend: 20_000, unpricedCalls: 0 },
  };
  await showScreens({
    at: "/settings/limits",
    screens: {
      "/settings/limits": () => (
        <PageOrganisation value={{ ...quay, role: "member" }}>
          <LimitsScreen />
        </PageOrganisation>
      ),
    },
    known: [[limitsQuery.queryKey, limits]],
  });
  screen.getByText("Narrower limits apply to you: $5.00 a day.");
  const list = within(screen.getByRole("region", { name: "Your organisation’s limits" }));
  expect(list.getAllByRole("definition").map(({ textContent }) => textContent)).toEqual([
    "United States, Germany",
    "None",
    "5 · 1 now, across all members",
    "10 · 0 in the last minute",
    "$50.00 · $0.02 today",
    "Any price",
    "240 minutes",
  ]);
  for (const role of ["textbox", "spinbutton", "combobox", "button"]) expect(screen.queryAllByRole(role)).toEqual([]);
});
