// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { leadImportsQuery } from "../../data/lead-import-query.ts";
import { meQuery } from "../../data/me-query.ts";
import { showScreens } from "../../routes/testing/show-screens.tsx";
import { LatestImports } from "./latest-imports.tsx";
import { LeadImportScreen } from "./lead-import-screen.tsx";
import { MapColumns } from "./map-columns.tsx";

afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.unstubAllGlobals();
});

const me = { id: "me", activeOrganisation: { id: "harbour", role: "owner" } };

test("a CSV file over the size limit is refused before the upload; one of exactly the limit is uploaded", async () => {
  const sent: string[] = [];
  vi.stubGlobal("fetch", async (url: URL | string, { method = "GET" }: RequestInit = {}) => {
    if (method === "POST") sent.push(new URL(url, location.href).pathname);
    return Response.json([]);
  });
  await showScreens({
    at: "/leads/import",
    screens: { "/leads/import": LeadImportScreen },
    known: [[meQuery.queryKey, me]],
  });
  const choose = (bytes: number) => {
    const files = [new File([new Uint8Array(bytes)], "fair.csv", { type: "text/csv" })];
    fireEvent.change(screen.getByLabelText("Choose a CSV file"), { target: { files } });
  };
  choose(25 * 2 ** 20 + 1);
  await screen.findByText("Choose a file under 25 MB. Split a larger one and import the parts.");
  expect(sent).toEqual([]);
  choose(25 * 2 ** 20);
  await vi.waitFor(() => expect(sent).toEqual(["/api/v1/lead-imports"]));
});

const draft = {
  id: "an-import",
  fileName: "fair.csv",
  state: "draft" as const,
  columns: ["Name", "Mail", "Call"],
  preview: [["Ada Lo", "ada@lo.example", "+12025550100"]],
  suggestedMapping: { firstName: 0, lastName: 0, email: 1, phone: 2 },
  rowCount: 1,
  created: 0,
  skipped: 0,
  duplicates: 0,
  failed: 0,
  problem: null,
  createdAt: "2026-01-14T10:00:00Z",
  finishedAt: null,
};

test("warns about a column that fills two fields, before the import", async () => {
  vi.stubGlobal("fetch", async () => Response.json({ totals: null, checkedRows: 0, preview: ["new"] }));
  await showScreens({
    at: "/leads/import",
    screens: { "/leads/import": () => <MapColumns leadImport={draft} /> },
    known: [[meQuery.queryKey, me]],
  });
  screen.getByText("A column is used more than once");
  screen.getByText(/^“Name” fills First name and Last name\./);
  cleanup();
  await showScreens({
    at: "/leads/import",
    screens: { "/leads/import": () => <MapColumns leadImport={{ ...draft, suggestedMapping: { firstName: 0 } }} /> },
    known: [[meQuery.queryKey, me]],
  });
  expect(screen.queryByText("A column is used more than once")).toBeNull();
});

test("leaving asks before it drops the chosen columns, and asks nothing if none was chosen", async () => {
  localStorage.setItem("leadline.access-token", "for-the-test-server");
  vi.stubGlobal("fetch", async () => Response.json({ totals: null, checkedRows: 0, preview: ["new"] }));
  const { router } = await showScreens({
    at: "/leads/import",
    screens: { "/leads/import": () => <MapColumns leadImport={draft} />, "/calls": () => <h1>Calls</h1> },
    known: [[meQuery.queryKey, me]],
  });
  const go = (to: string) => act(async () => void router.navigate({ to }));
  const choice = screen.getByRole("checkbox", { name: /^Leave out rows/ });
  fireEvent.click(choice);
  await go("/calls");
  fireEvent.click(await screen.findByRole("button", { name: "Stay" }));
  expect(router.state.location.pathname).toBe("/leads/import");
  fireEvent.click(choice);
  await go("/calls");
  await screen.findByRole("heading", { name: "Calls" });
});

test("a name and a phone number are enough to import; without either it says which column is missing", async () => {
  vi.stubGlobal("fetch", async () =>
    Response.json({ totals: { new: 1, known: 0, repeated: 0, failed: 0 }, checkedRows: 1, preview: ["new"] }),
  );
  const map = (suggestedMapping: object) =>
    showScreens({
      at: "/leads/import",
      screens: { "/leads/import": () => <MapColumns leadImport={{ ...draft, suggestedMapping }} /> },
      known: [[meQuery.queryKey, me]],
    });
  await map({ lastName: 0, phone: 2 });
  const ready = await screen.findByRole<HTMLButtonElement>("button", { name: "Import 1 row" });
  expect(ready.disabled).toBe(false);
  expect(screen.queryByRole("alert")).toBeNull();
  cleanup();
  await map({ status: 1 });
  expect(screen.getAllByRole("alert").map(({ textContent }) => textContent)).toEqual([
    "Choose a column for the first or the last name.",
    "Choose a column for the phone or the email.",
  ]);
  expect(screen.getByRole<HTMLButtonElement>("button", { name: "Import" }).disabled).toBe(true);
});

test("an import that was never started can be continued or discarded from the list", async () => {
  const asked: string[] = [];
  let imports = [draft];
  vi.stubGlobal("fetch", async (url: URL | string, { method = "GET" }: RequestInit = {}) => {
    asked.push(`${method} ${new URL(url, location.href).pathname}`);
    if (method !== "DELETE") return Response.json(imports);
    imports = [];
    return new Response(null, { status: 204 });
  });
  await showScreens({
    at: "/leads/import",
    screens: { "/leads/import": LatestImports },
    known: [[leadImportsQuery.queryKey, imports]],
  });
  const goOn = screen.getByRole("link", { name: "Continue with fair.csv" });
  expect(goOn.getAttribute("href")).toBe("/leads/import?id=an-import");
  fireEvent.click(screen.getByRole("button", { name: "Discard fair.csv" }));
  await vi.waitFor(() => expect(asked).toContain("DELETE /api/v1/lead-imports/an-import"));
});
