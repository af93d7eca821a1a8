// @vitest-environment happy-dom
import type { AuditEntry } from "@leadline/contract/audit-log";
import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { queryClient } from "../../data/query-client.ts";
import { AuditEntryRow } from "./audit-entry-row.tsx";

afterEach(() => {
  cleanup();
  queryClient.clear();
  vi.unstubAllGlobals();
});

type Change = AuditEntry["changes"][number];
const ofLead = { kind: "leads", subjectId: "1", subject: "Ada Stone", before: null, after: null };
const more: Change = { ...ofLead, operation: "more" };
const ofMany: Change = { ...ofLead, kind: "lead_changes", subject: "", operation: "created", after: { total: 1_234 } };

const lastLine = (changes: Change[]): string | null | undefined => {
  vi.stubGlobal("fetch", () => new Promise(() => {}));
  const entry: AuditEntry = {
    id: 1,
    at: "2026-03-05T12:00:00.000Z",
    action: "leads.changed",
    userId: null,
    userName: "Robin Tester",
    byLeadline: false,
    address: "",
    userAgent: "",
    requestId: "",
    changes,
  };
  render(
    <QueryClientProvider client={queryClient}>
      <AuditEntryRow entry={entry} people={{}} />
    </QueryClientProvider>,
  );
  const line = screen.getByRole("list", { name: "What changed" }).lastElementChild?.textContent;
  cleanup();
  return line;
};

test("an entry says exactly how many changes it doesn't list", () => {
  const counted = (count: number): Change => ({ ...more, subject: "", after: { count } });
  expect(lastLine([counted(1)])).toBe("1 more change isn’t listed.");
  expect(lastLine([ofMany, counted(1_950)])).toBe("1,950 more changes aren’t listed. In all, 1,234 leads changed.");
});

test("an older entry that doesn't list every change says so, and how many leads a change of many was of", () => {
  const others = "Lead Ada Stone and others changed too. They aren’t listed.";
  expect(lastLine([more])).toBe(others);
  expect(lastLine([ofMany, more])).toBe(`${others} In all, 1,234 leads changed.`);
});
