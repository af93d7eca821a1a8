// @vitest-environment happy-dom
import type { Call } from "@leadline/contract/calls";
import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { callOutcomesQuery } from "../../../data/call-outcomes-query.ts";
import { callQuery } from "../../../data/calls-query.ts";
import { meQuery } from "../../../data/me-query.ts";
import { newTestCall, testUserId } from "../../../phone/testing/new-test-call.ts";
import { showScreens } from "../../../routes/testing/show-screens.tsx";
import { EndedPair } from "./ended-pair.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const ended = { status: "completed", line: null } as const;
const ada = newTestCall("+12025550100", 1, { ...ended, note: "Wants a quote", createdAt: "2026-11-20T10:00:00Z" });
const bob = newTestCall("+12025550199", 2, { ...ended, note: "Knows the prices", createdAt: "2026-11-20T10:05:00Z" });
const joinedWith = (call: Call) => ({ callSid: call.callSid, phoneNumber: call.phoneNumber, callerId: null });

const show = (known: readonly (readonly [readonly unknown[], unknown])[] = []) => {
  vi.stubGlobal("fetch", async () => Response.json([]));
  const onDone = vi.fn<() => void>();
  const call = { ...bob, joinedWith: joinedWith(ada) };
  return showScreens({
    at: "/calls",
    screens: { "/calls": () => <EndedPair call={call} onDone={onDone} />, "/leads/new": () => null },
    known: [
      [meQuery.queryKey, { id: testUserId, activeOrganisation: { id: "o", role: "member" } }],
      [callOutcomesQuery.queryKey, []],
      [callQuery(bob.callSid).queryKey, call],
      ...known,
    ],
  }).then(() => onDone);
};
const note = () => screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Note" }).value;

test("after a conference both calls have a note and an outcome", async () => {
  const onDone = await show([[callQuery(ada.callSid).queryKey, { ...ada, joinedWith: joinedWith(bob) }]]);
  expect(screen.getAllByRole("tab")).toHaveLength(2);
  expect(note()).toBe("Knows the prices");
  fireEvent.mouseDown(screen.getAllByRole("tab")[0] as HTMLElement, { button: 0 });
  expect(note()).toBe("Wants a quote");
  fireEvent.click(screen.getByRole("button", { name: "Done" }));
  expect(onDone).toHaveBeenCalledOnce();
});

test("until the other call is known, the last ended call shows its own disposition", async () => {
  await show();
  expect(screen.queryByRole("tab")).toBeNull();
  expect(note()).toBe("Knows the prices");
});
