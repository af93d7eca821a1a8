// @vitest-environment happy-dom
import { noOwnLimits } from "@leadline/contract/limits";
import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { showScreens } from "../../routes/testing/show-screens.tsx";
import { MemberLimitsDialog } from "./member-limits-dialog.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const organisation = {
  allowedCountries: ["US"],
  blockedPrefixes: [],
  concurrentCalls: 10,
  callsPerMinute: 30,
  dailySpend: 50_000_000,
  dailySpendIsDefault: true,
  ratePerMinute: null,
  callMinutes: 240,
  used: { concurrentCalls: 0, callsPerMinute: 0, dailySpend: 0, unpricedCalls: 0 },
  own: noOwnLimits,
};
const member = {
  userId: "0b0c3b8e-5a6d-4c39-9a39-6f5d0f1a0001",
  firstName: "Ada",
  lastName: "Byron",
  email: "ada@example.com",
  role: "member" as const,
  createdAt: "2026-01-01T00:00:00Z",
};

test("sends only a member's changed limits, and empty fields stay unlimited", async () => {
  const sent: unknown[] = [];
  vi.stubGlobal("fetch", async (_url: string, init: RequestInit) => {
    sent.push(JSON.parse(String(init.body)));
    return Response.json(noOwnLimits);
  });
  const close = vi.fn<() => void>();
  const Screen = () => (
    <MemberLimitsDialog member={member} own={noOwnLimits} organisation={organisation} onClose={close} />
  );
  await showScreens({ at: "/limits", screens: { "/limits": Screen } });
  fireEvent.input(screen.getByLabelText("Simultaneous calls"), { target: { value: "2" } });
  fireEvent.click(screen.getByRole("button", { name: "Save changes" }));
  await waitFor(() => expect(close).toHaveBeenCalled());
  expect(sent).toEqual([{ concurrentCalls: 2 }]);
});

async function openAndType(prefix: string) {
  const sent: unknown[] = [];
  vi.stubGlobal("fetch", async (_url: string, init: RequestInit) => {
    sent.push(JSON.parse(String(init.body)));
    return Response.json(noOwnLimits);
  });
  const close = vi.fn<() => void>();
  const own = { ...noOwnLimits, blockedPrefixes: ["+4490"] };
  const Screen = () => <MemberLimitsDialog member={member} own={own} organisation={organisation} onClose={close} />;
  await showScreens({ at: "/limits", screens: { "/limits": Screen } });
  const field = screen.getByRole<HTMLInputElement>("textbox", { name: "Blocked prefixes" });
  fireEvent.change(field, { target: { value: prefix } });
  const save = () => fireEvent.click(screen.getByRole("button", { name: "Save changes" }));
  return { sent, close, field, save };
}

test("saves a prefix that is typed but not added with Block", async () => {
  const { sent, close, save } = await openAndType("+44 70");
  save();
  await waitFor(() => expect(close).toHaveBeenCalled());
  expect(sent).toEqual([{ blockedPrefixes: ["+4470", "+4490"] }]);
});

test("doesn't save while an invalid prefix is typed, and goes to its field", async () => {
  const { sent, close, field, save } = await openAndType("4470");
  save();
  await screen.findByText("Enter the start of a number with its country code, such as +44 70.");
  await waitFor(() => expect(document.activeElement).toBe(field));
  fireEvent.change(field, { target: { value: "" } });
  save();
  await waitFor(() => expect(close).toHaveBeenCalled());
  expect(sent).toEqual([{}]);
});

test("Escape asks before it drops a typed prefix", async () => {
  const { close, field } = await openAndType("+44 70");
  fireEvent.keyDown(field, { key: "Escape" });
  await screen.findByRole("dialog", { name: "Leave without saving?" });
  expect(close).not.toHaveBeenCalled();
});

test("Escape neither closes the dialog nor asks while it saves", async () => {
  const { close, field, save } = await openAndType("+44 70");
  const answer = Promise.withResolvers<Response>();
  vi.stubGlobal("fetch", () => answer.promise);
  save();
  await waitFor(() => expect(screen.getByRole("button", { name: "Cancel" })).toHaveProperty("disabled", true));
  fireEvent.keyDown(field, { key: "Escape" });
  expect(screen.queryByRole("dialog", { name: "Leave without saving?" })).toBeNull();
  expect(close).not.toHaveBeenCalled();
  answer.resolve(Response.json(noOwnLimits));
  await waitFor(() => expect(close).toHaveBeenCalled());
});
