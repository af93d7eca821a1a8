// @vitest-environment happy-dom
import type { DueFollowUps } from "@leadline/contract/follow-ups";
import { act, cleanup } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { meQuery } from "../data/me-query.ts";
import { showScreens } from "../routes/testing/show-screens.tsx";
import { FollowUpReminders } from "./follow-up-reminders.tsx";

const shown: { title: string; body: string | undefined; click: () => void }[] = [];
class SystemNotice extends EventTarget {
  static permission: NotificationPermission = "granted";
  constructor(title: string, { body }: NotificationOptions = {}) {
    super();
    shown.push({ title, body, click: () => this.dispatchEvent(new Event("click")) });
  }
  close(): void {}
}

beforeEach(() => {
  shown.length = 0;
  vi.stubGlobal("Notification", SystemNotice);
  vi.spyOn(document, "hasFocus").mockReturnValue(false);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

let report: (due: DueFollowUps) => void = () => {};
const subscribe: NonNullable<Parameters<typeof FollowUpReminders>[0]["subscribe"]> = (_type, listener) => {
  report = listener as (due: DueFollowUps) => void;
  return () => {};
};
const Page = () => <FollowUpReminders subscribe={subscribe} />;
const openPage = () =>
  showScreens({
    at: "/dashboard",
    screens: { "/dashboard": Page, "/leads/$leadId": Page, "/calls": Page },
    known: [[meQuery.queryKey, { id: "me", activeOrganisation: { id: "harbour", role: "member", timeZone: "UTC" } }]],
  });
const bob = { leadId: "bob", name: "Bob Stone", phoneNumber: "+12025550100", followUpTime: "14:30" };

test("a due callback of one's own is notified, and a click opens its lead; a colleague's isn't", async () => {
  const { router } = await openPage();
  report({ userId: "eve", count: 1, first: bob });
  expect(shown).toEqual([]);
  report({ userId: "me", count: 1, first: bob });
  const bobs = [{ title: "Call back Bob Stone", body: expect.stringContaining("30") }];
  await vi.waitFor(() => expect(shown).toMatchObject(bobs));
  await act(async () => shown[0]?.click());
  expect(router.state.location.pathname).toBe("/leads/bob");
});

test("several are one notification, and a click opens the list", async () => {
  const { router } = await openPage();
  report({ userId: "me", count: 3, first: { ...bob, leadId: null, name: "", followUpTime: null } });
  await vi.waitFor(() => expect(shown).toMatchObject([{ title: "3 callbacks are due", body: "+12025550100" }]));
  await act(async () => shown[0]?.click());
  expect(router.state.location).toMatchObject({ pathname: "/calls", search: { tab: "call-back" } });
});
