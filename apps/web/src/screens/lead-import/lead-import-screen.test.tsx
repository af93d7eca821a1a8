// @vitest-environment happy-dom
import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { meQuery } from "../../data/me-query.ts";
import { showScreens } from "../../routes/testing/show-screens.tsx";
import { LeadImportScreen } from "./lead-import-screen.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test("a CSV file that is larger than any may be is refused before it is sent; one of the most that may be is sent", async () => {
  const sent: string[] = [];
  vi.stubGlobal("fetch", async (url: URL | string, { method = "GET" }: RequestInit = {}) => {
    if (method === "POST") sent.push(new URL(url, location.href).pathname);
    return Response.json([]);
  });
  const me = { id: "me", activeOrganisation: { id: "harbour", role: "owner" } };
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
  await screen.findByText("Send a file of less than 25 MB. Split a larger one and import the parts.");
  expect(sent).toEqual([]);
  choose(25 * 2 ** 20);
  await vi.waitFor(() => expect(sent).toEqual(["/api/v1/lead-imports"]));
});
