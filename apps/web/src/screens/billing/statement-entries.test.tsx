// @vitest-environment happy-dom
import { QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { queryClient } from "../../data/query-client.ts";
import { StatementEntries } from "./statement-entries.tsx";

beforeEach(() => localStorage.setItem("leadline.access-token", "for-the-test-server"));
afterEach(() => {
  cleanup();
  queryClient.clear();
  vi.unstubAllGlobals();
});

test("days narrow the list and both downloads, so that a month that is too long for a PDF has one", async () => {
  const asked: string[] = [];
  const detail = "This period has more than 2,000 entries. Choose a shorter one, or a kind of entry.";
  const refusal = { type: "/api/docs#statement-too-long", title: "Too many entries for a PDF", status: 409, detail };
  vi.stubGlobal("fetch", async (url: URL | string) => {
    const { pathname, search } = new URL(url, location.href);
    if (!pathname.startsWith("/api/v1/billing/entries")) return Response.json({});
    asked.push(`${pathname.replace("/api/v1/billing/entries", "")}${search}`);
    return pathname.endsWith("/entries")
      ? Response.json({ entries: [], hasMore: false })
      : Response.json(refusal, { status: 409 });
  });
  render(
    <QueryClientProvider client={queryClient}>
      <StatementEntries month="2026-03" />
    </QueryClientProvider>,
  );
  await screen.findByText("No entries in March 2026.");
  fireEvent.click(screen.getByRole("button", { name: "Download PDF" }));
  await screen.findByText(detail);
  for (const [label, value] of [
    ["From", "2026-03-05"],
    ["To", "2026-03-10"],
  ] as const)
    await act(async () => fireEvent.change(screen.getByLabelText(label), { target: { value } }));
  await screen.findByText("No entries on these days.");
  const days = "?month=2026-03&from=2026-03-05&to=2026-03-10";
  for (const [name, path] of [
    ["Download PDF", "/pdf"],
    ["Download CSV", "/export"],
  ] as const) {
    fireEvent.click(screen.getByRole("button", { name }));
    await waitFor(() => expect(asked).toContain(`${path}${days}`));
  }
  expect(asked).toContain(days);
});
