// @vitest-environment happy-dom
import type { Call } from "@leadline/contract/calls";
import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { doNotCallOfQuery } from "../../../data/do-not-call-query.ts";
import { meQuery } from "../../../data/me-query.ts";
import { PhoneContext } from "../../../phone/phone-context.ts";
import { newTestCall, testUserId } from "../../../phone/testing/new-test-call.ts";
import { openTestPhone } from "../../../phone/testing/open-test-phone.ts";
import { showScreens } from "../../../routes/testing/show-screens.tsx";
import { CallRow } from "./call-row.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const phoneNumber = "+12025550100";
const left: Partial<Call> = {
  status: "in-progress",
  line: null,
  joinedWith: { callSid: `CA${"2".repeat(32)}`, phoneNumber: "", callerId: "Ada Byron (301)" },
};

async function openMenu(more: Partial<Call>) {
  const call = newTestCall(phoneNumber, 1, more);
  const { phone } = openTestPhone();
  const row = () => (
    <PhoneContext value={phone}>
      <CallRow call={call} onCall={undefined} />
    </PhoneContext>
  );
  await showScreens({
    at: "/calls",
    screens: { "/calls": row },
    known: [
      [meQuery.queryKey, { id: testUserId }],
      [doNotCallOfQuery(phoneNumber).queryKey, null],
    ],
  });
  const actions = screen.getByRole("button", { name: "Actions for the call with +1 202 555 0100" });
  fireEvent.keyDown(actions, { key: "Enter" });
  await screen.findByRole("menuitem", { name: "Note…" });
}

test("a rep who left two people to each other can end their call from the log", async () => {
  await openMenu(left);
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (address: URL | string) => {
    asked.push(new URL(String(address), "http://localhost").pathname);
    return Response.json(newTestCall(phoneNumber, 1, { status: "completed" }));
  });
  fireEvent.click(screen.getByRole("menuitem", { name: "End their call…" }));
  const dialog = within(
    await screen.findByRole("dialog", { name: "End the call between +1 202 555 0100 and Ada Byron (301)?" }),
  );
  fireEvent.click(dialog.getByRole("button", { name: "End call" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(asked).toEqual([`/api/v1/calls/CA${"1".padStart(32, "0")}/hang-up`]);
});

test.for<[string, Partial<Call>]>([
  ["that the person is still in", { ...left, line: 1 }],
  ["of somebody else", { ...left, userId: "somebody-else" }],
  ["that has ended", { ...left, status: "completed" }],
])("a call %s can't be ended from the log", async ([, more]) => {
  await openMenu(more);
  expect(screen.queryByRole("menuitem", { name: "End their call…" })).toBeNull();
});
