// @vitest-environment happy-dom
import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { leadCountQuery, type LeadFilter, leadListQuery } from "../../data/leads-query.ts";
import { meQuery } from "../../data/me-query.ts";
import { showScreens } from "../../routes/testing/show-screens.tsx";
import { LeadsScreen } from "./leads-screen.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const none = { pages: [{ items: [], next: null }], pageParams: [undefined] };
const openLeads = (at: string, filter: LeadFilter) =>
  showScreens({
    at,
    screens: { "/leads": LeadsScreen, "/leads/new": () => null },
    known: [
      [meQuery.queryKey, { id: "me", activeOrganisation: { id: "harbour", role: "owner" } }],
      [leadListQuery(filter).queryKey, none],
    ],
  });

test("an empty list says what will be there and how to add it, next to the button that adds a lead", async () => {
  await openLeads("/leads", { search: "", sort: "newest" });
  expect(screen.getByText("No leads yet")).toBeTruthy();
  expect(screen.getByText(/^Your leads appear here/).textContent).toBe(
    "Your leads appear here with their numbers, notes and calls. Add the first one, import a CSV file or connect a CRM.",
  );
  expect(screen.getByRole("link", { name: "New lead" }).getAttribute("href")).toBe("/leads/new");
  expect(screen.queryByRole("table")).toBeNull();
});

test("a list with more pages shows the total, or a minimum; a search isn't counted", async () => {
  // The next page never arrives.
  vi.stubGlobal("fetch", () => new Promise(() => {}));
  const lead = { firstName: "Ann", lastName: "Lo", email: "ann@lo.example", phone: "+12025550100", status: "New" };
  const next = new URLSearchParams({ after: "cursor" });
  const list = { pages: [{ items: [{ id: "a-lead", ...lead }], next }], pageParams: [undefined] };
  const foot = async (at: string, search: string, count: object) => {
    cleanup();
    const filter = { search, sort: "newest" as const };
    await showScreens({
      at,
      screens: { "/leads": LeadsScreen, "/leads/new": () => null },
      known: [
        [meQuery.queryKey, { id: "me", activeOrganisation: { id: "harbour", role: "owner" } }],
        [leadListQuery(filter).queryKey, list],
        [leadCountQuery({}).queryKey, count],
      ],
    });
    return screen.getByText(/Scroll for more\.$/).textContent;
  };
  expect(await foot("/leads", "", { count: 1234, more: false })).toBe("The first 1 of 1,234 leads. Scroll for more.");
  expect(await foot("/leads", "", { count: 10_000, more: true })).toBe(
    "The first 1 of 10,000+ leads. Scroll for more.",
  );
  expect(await foot("/leads?search=ann", "ann", { count: 9, more: false })).toBe("The first 1 leads. Scroll for more.");
});

test("without a match, it repeats the search and the filters", async () => {
  await openLeads("/leads?search=zebra", { search: "zebra", sort: "newest" });
  expect(screen.getByText("No lead matches “zebra”")).toBeTruthy();
  expect(
    screen.getByText("Search looks at names, companies, emails and phone numbers, with words in any order."),
  ).toBeTruthy();
  cleanup();
  await openLeads("/leads?status=Qualified", { search: "", status: "Qualified", sort: "newest" });
  expect(screen.getByText("No lead is Qualified")).toBeTruthy();
  expect(screen.queryByText(/Search looks at/)).toBeNull();
  cleanup();
  const both = { search: "dub", status: "Working", sort: "newest" } as const;
  await openLeads("/leads?search=dub&status=Working", both);
  expect(screen.getByText("No lead that is Working matches “dub”")).toBeTruthy();
  expect(screen.getByText(/Search looks at/)).toBeTruthy();
});

test("offers to filter by follow-up owner once the list is filtered by follow-ups", async () => {
  await openLeads("/leads", { search: "", sort: "newest" });
  expect(screen.queryByRole("combobox", { name: "Who calls back" })).toBeNull();
  cleanup();
  await openLeads("/leads?due=today&followUpOwner=me", {
    search: "",
    due: "today",
    followUpOwner: "me",
    sort: "newest",
  });
  expect(screen.getByRole("combobox", { name: "Who calls back" }).textContent).toBe("My callbacks");
  expect(screen.getByText(/No lead matches these filters/)).toBeTruthy();
});
