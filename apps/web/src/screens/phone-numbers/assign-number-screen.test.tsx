// @vitest-environment happy-dom
import { defaultCountry } from "@leadline/contract/countries";
import { act, cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { meQuery } from "../../data/me-query.ts";
import { availableNumbersQuery, numberUseQuery } from "../../data/phone-numbers-query.ts";
import { showScreens } from "../../routes/testing/show-screens.tsx";
import { AssignNumberScreen } from "./assign-number-screen.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const sellers = [{ accountId: null, name: "Sandbox", label: "Sandbox", isSandbox: true }];
const byTrunk = { carrier: "Main trunk", usesNumbers: false, accountId: null, sellers };
const offered = (index: number) => ({
  number: `+1202555${1000 + index}`,
  location: "Washington",
  region: "District of Columbia",
  capabilities: { voice: true, sms: false, mms: false, fax: false },
  monthlyCost: 1_000_000,
  requirement: null,
});

/** Renders the screen with a carrier that has more numbers than the first page. */
function showFirstPage(items: readonly ReturnType<typeof offered>[]) {
  const { queryKey } = availableNumbersQuery(defaultCountry, "", null);
  const next = new URLSearchParams({ countryCode: defaultCountry, skip: "40" });
  return showScreens({
    at: "/settings/phone-numbers/assign",
    screens: { "/settings/phone-numbers/assign": AssignNumberScreen },
    known: [
      [meQuery.queryKey, { id: "me", activeOrganisation: { id: "harbour", role: "owner" } }],
      [numberUseQuery.queryKey, byTrunk],
      [queryKey, { pages: [{ items, next }], pageParams: [undefined] }],
    ],
  });
}

test("if the carrier has more numbers than are shown, the list says so and can load them", async () => {
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (url: URL | string) => {
    const { pathname, search } = new URL(url, location.href);
    if (pathname.endsWith("/use")) return Response.json(byTrunk);
    asked.push(search);
    return Response.json([offered(2)]);
  });
  await showFirstPage([offered(0), offered(1)]);
  expect(screen.getByText(/Sandbox numbers are for trying things out/)).toBeTruthy();
  expect(screen.getByText("Calls go through Main trunk now")).toBeTruthy();
  expect(screen.getByText(/^Showing the first 2\. Search by digits or town/)).toBeTruthy();
  await act(async () => fireEvent.click(screen.getByRole("button", { name: "Load more" })));
  await screen.findByRole("button", { name: "Buy +1 202 555 1002" });
  expect(asked).toEqual([`?countryCode=${defaultCountry}&skip=40`]);
  expect(screen.queryByText(/^The first/)).toBeNull();
});

test("if organisations have taken all numbers found so far, the list says so instead of showing an empty table", async () => {
  vi.stubGlobal("fetch", async () => Response.json({ ...byTrunk, carrier: "Sandbox", usesNumbers: true }));
  await showFirstPage([]);
  expect(screen.getByText("The first numbers are taken")).toBeTruthy();
  expect(screen.queryByRole("table")).toBeNull();
  expect(screen.queryByText(/The first 0/)).toBeNull();
  expect(screen.getByRole("button", { name: "Load more" })).toBeTruthy();
});
