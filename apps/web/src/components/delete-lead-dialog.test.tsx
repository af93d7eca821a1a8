// @vitest-environment happy-dom
import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { leadCountQuery } from "../data/leads-query.ts";
import { queryClient } from "../data/query-client.ts";
import { bob } from "../data/testing/some-lead.ts";
import { DeleteLeadDialog } from "./delete-lead-dialog.tsx";

afterEach(() => {
  cleanup();
  queryClient.clear();
  vi.unstubAllGlobals();
});

test("deleting a lead refreshes the total", async () => {
  vi.stubGlobal("fetch", async () => Response.json({ id: "a-change" }, { status: 201 }));
  const { queryKey } = leadCountQuery({ status: undefined });
  queryClient.setQueryData(queryKey, { count: 131, more: false });
  render(
    <QueryClientProvider client={queryClient}>
      <DeleteLeadDialog lead={bob} onClose={() => undefined} />
    </QueryClientProvider>,
  );
  fireEvent.click(screen.getByRole("button", { name: "Delete lead" }));
  await waitFor(() => expect(queryClient.getQueryState(queryKey)?.isInvalidated).toBe(true));
});
