// @vitest-environment happy-dom
import type { Call } from "@leadline/contract/calls";
import { act, cleanup, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { callOutcomesQuery } from "../../data/call-outcomes-query.ts";
import { meQuery } from "../../data/me-query.ts";
import { PhoneContext } from "../../phone/phone-context.ts";
import { testUserId } from "../../phone/testing/new-test-call.ts";
import { openTestPhone } from "../../phone/testing/open-test-phone.ts";
import { showScreens } from "../../routes/testing/show-screens.tsx";
import { CallContext } from "./call-context.tsx";

beforeEach(() => localStorage.setItem("leadline.access-token", "for-the-test-server"));
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const ada = "+12025550100";
const mate = "+12025550199";
const over = { status: "completed", line: null, endedAt: new Date().toISOString() } as const;
const answered = { status: "in-progress", answeredAt: new Date().toISOString() } as const;

/** In a call with Ada, with a teammate on the second line. */
async function withTeammate() {
  const { phone, reportOf } = openTestPhone();
  await showScreens({
    at: "/calls",
    screens: {
      "/calls": () => (
        <PhoneContext value={phone}>
          <CallContext />
        </PhoneContext>
      ),
      "/leads/new": () => null,
    },
    known: [
      [meQuery.queryKey, { id: testUserId, activeOrganisation: { id: "o", role: "member" } }],
      [callOutcomesQuery.queryKey, []],
    ],
  });
  await act(() => phone.start(ada));
  const tell = (number: string, change: Partial<Call>) => act(() => void reportOf(number, change));
  tell(ada, answered);
  await act(() => phone.consult({ phoneNumber: mate }));
  // A teammate has a name instead of a number.
  tell(mate, { ...answered, phoneNumber: "", callerId: "Grace Hopper" });
  return { phone, tell };
}
const panel = () => screen.findByRole("region", { name: "This call" });
const seesAda = async () => expect((await panel()).textContent).toContain("202 555 0100");

test("with a teammate on the second line, and in a conference with them, the note is the customer's", async () => {
  const { phone, tell } = await withTeammate();
  expect(phone.getState().call?.phoneNumber).toBe("");
  await seesAda();
  expect(screen.queryByRole("tab")).toBeNull();
  tell(ada, over);
  expect(phone.getState()).toMatchObject({ phase: "live", call: { phoneNumber: "" } });
  await seesAda();
});

test.each([
  ["the customer", ada, ""],
  ["the teammate", "", ada],
])("once both are over, %s first, the customer's call can be noted and called again", async (_, first, last) => {
  const { phone, tell } = await withTeammate();
  tell(first, over);
  tell(last, over);
  expect(phone.getState()).toMatchObject({ phase: "ended", call: { phoneNumber: ada } });
  await seesAda();
  screen.getByRole("button", { name: "Done" });
});

test("after leaving a conference first, both calls keep note and outcome until both are dismissed", async () => {
  const { phone, reportOf } = openTestPhone();
  await showScreens({
    at: "/calls",
    screens: {
      "/calls": () => (
        <PhoneContext value={phone}>
          <CallContext />
        </PhoneContext>
      ),
      "/leads/new": () => null,
    },
    known: [
      [meQuery.queryKey, { id: testUserId, activeOrganisation: { id: "o", role: "member" } }],
      [callOutcomesQuery.queryKey, []],
    ],
  });
  const bob = "+12025550102";
  const tell = (number: string, change: Partial<Call>) => act(() => void reportOf(number, change));
  const tabs = () => screen.getAllByRole("tab").map(({ textContent }) => textContent);
  await act(() => phone.start(ada));
  tell(ada, answered);
  await act(() => phone.consult({ phoneNumber: bob }));
  tell(bob, answered);
  await act(() => phone.joinCalls());
  tell(ada, { ...over, joinedWith: null });
  tell(bob, { joinedWith: null });
  expect(phone.getState()).toMatchObject({ phase: "live", call: { phoneNumber: bob } });
  expect(tabs()).toHaveLength(2);
  tell(bob, over);
  expect(phone.getState().phase).toBe("ended");
  expect(tabs()).toHaveLength(2);
  act(() => phone.dismiss());
  expect(screen.queryByRole("tab", { name: /202 555 0100/ })).toBeNull();
});
