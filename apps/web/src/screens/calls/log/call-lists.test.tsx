// @vitest-environment happy-dom
import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { meQuery } from "../../../data/me-query.ts";
import { showScreens } from "../../../routes/testing/show-screens.tsx";
import { CallLists } from "./call-lists.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

async function show(timeZone: string) {
  vi.stubGlobal("fetch", async () => Response.json([]));
  const me = { id: "robin", activeOrganisation: { id: "harbour", timeZone } };
  await showScreens({ at: "/calls", screens: { "/calls": CallLists }, known: [[meQuery.queryKey, me]] });
  await screen.findByText("No calls yet");
}

test("whose clock the log's times go by is said where it is not the reader's, and only there", async () => {
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const other = own === "Asia/Ho_Chi_Minh" ? "America/New_York" : "Asia/Ho_Chi_Minh";
  await show(other);
  screen.getByText(`Times go by your organisation’s clock, ${other.replaceAll("_", " ")}`);
  cleanup();
  await show(own);
  expect(screen.queryByText(/clock/)).toBeNull();
});
