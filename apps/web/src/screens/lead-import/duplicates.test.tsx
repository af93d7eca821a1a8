// @vitest-environment happy-dom
import type { ImportDuplicate } from "@leadline/contract/lead-imports";
import { cleanup, fireEvent, screen, within } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { showScreens } from "../../routes/testing/show-screens.tsx";
import { Duplicates } from "./duplicates.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const duplicate: ImportDuplicate = {
  row: 2,
  name: "Robert",
  matchedBy: "phone-number",
  lead: { id: "bob", firstName: "Bob", lastName: "Stone" },
  earlierRow: null,
  done: "left-out",
};
const show = (count: number) =>
  showScreens({
    at: "/import",
    screens: {
      "/import": () => (
        <Duplicates leadImport={{ id: `import-of-${count}`, fileName: "fair.csv", duplicates: count }} />
      ),
      "/leads/$leadId": () => <p>the lead</p>,
    },
  });
const answerWith = (answer: () => Response | Promise<Response>) => vi.stubGlobal("fetch", async () => answer());

test("each duplicate shows its row, what it matches and what was done, and links to the lead", async () => {
  answerWith(() =>
    Response.json([
      duplicate,
      { ...duplicate, row: 5, name: "Anna", lead: null, earlierRow: 3 },
      { ...duplicate, row: 6, name: "Eve", matchedBy: "details", lead: null, done: "imported" },
    ]),
  );
  await show(3);
  const rows = (await screen.findAllByRole("row")).slice(1);
  expect(
    rows.map((row) =>
      within(row)
        .getAllByRole("cell")
        .map((cell) => cell.textContent),
    ),
  ).toEqual([
    ["2", "Robert", "Same phone number as Bob Stone", "Left out"],
    ["5", "Anna", "Same phone number as row 3", "Left out"],
    ["6", "Eve", "Same name, email and phone as a lead deleted since", "Imported"],
  ]);
  expect(screen.getByRole("link", { name: "Bob Stone" }).getAttribute("href")).toBe("/leads/bob");
});

test("if there are more than are listed, the heading says so, and the download contains all", async () => {
  answerWith(() => Response.json([duplicate]));
  await show(1_200);
  await screen.findByRole("heading", { name: "The first 1 of 1,200 duplicates" });
  expect(screen.getAllByRole("button").map(({ textContent }) => textContent?.trim())).toEqual(["Download CSV"]);
});

test("without duplicates it says so, and offers no download", async () => {
  answerWith(() => Response.json([]));
  await show(0);
  await screen.findByText("No row matched a lead or another row.");
  expect(screen.queryByRole("button")).toBeNull();
});

test("shows a skeleton while loading, and a retry after a failure", async () => {
  const { promise, resolve } = Promise.withResolvers<Response>();
  answerWith(() => promise);
  await show(4);
  await screen.findByText("Loading the duplicates");
  answerWith(() => Response.json([duplicate]));
  const problem = { type: "/api/docs#not-found", title: "Not found", status: 404, detail: "There is no such import." };
  resolve(Response.json(problem, { status: 404 }));
  await screen.findByText("There is no such import.");
  fireEvent.click(screen.getByRole("button", { name: "Try again" }));
  expect((await screen.findByRole("row", { name: /Robert/ })).textContent).toContain("Bob Stone");
});
