// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { queryClient } from "../../data/query-client.ts";
import { PhoneContext } from "../phone-context.ts";
import { openTestPhone } from "../testing/open-test-phone.ts";
import { TestPanel } from "../testing/test-panel.tsx";

beforeEach(() => {
  localStorage.setItem("leadline.access-token", "for-the-test-server");
  queryClient.clear();
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test("a transfer by name says that nobody matches only if no teammate does either", async () => {
  const ada = { userId: "a", firstName: "Ada", lastName: "Byron", presence: "free" } as const;
  const { phone, report } = openTestPhone({ teammates: [ada] });
  const serve = globalThis.fetch;
  vi.stubGlobal("fetch", (url: string, init: RequestInit) =>
    /\/v1\/leads/.test(url) ? Promise.resolve(Response.json([])) : serve(url, init),
  );
  render(
    <PhoneContext value={phone}>
      <TestPanel />
    </PhoneContext>,
  );
  await act(() => phone.start("+12025550100"));
  act(() => void report({ status: "in-progress", answeredAt: new Date().toISOString() }));
  act(phone.openTransfer);
  const write = (value: string) =>
    fireEvent.change(screen.getByRole("combobox", { name: "Phone number" }), { target: { value } });
  await screen.findByRole("button", { name: "Ada Byron Free" });
  write("Nobody");
  await screen.findByText("No matching lead has a phone number.");
  write("Byron");
  await screen.findByRole("button", { name: "Ada Byron Free" });
  fireEvent.submit(screen.getByRole("combobox", { name: "Phone number" }));
  await screen.findByText("Choose a lead or a teammate, or enter a phone number.");
  expect(screen.queryByText("No matching lead has a phone number.")).toBeNull();
});
