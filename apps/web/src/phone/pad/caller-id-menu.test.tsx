// @vitest-environment happy-dom
import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { act, render } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ProblemError } from "../../data/problem-error.ts";
import { queryClient } from "../../data/query-client.ts";
import { chosenCallerId } from "../call/chosen-caller-id.ts";
import { PhoneContext } from "../phone-context.ts";
import { openTestPhone } from "../testing/open-test-phone.ts";
import { CallerIdMenu } from "./caller-id-menu.tsx";

const washington = "+12025550100";
const denver = "+17205550100";
const callee = "+12025550199";

beforeEach(() => localStorage.setItem("leadline.access-token", "for-the-test-server"));
afterEach(() => {
  cleanup();
  chosenCallerId.choose(null);
  queryClient.clear();
  vi.unstubAllGlobals();
});

interface Given {
  numbers?: { number: string; label: string | null }[];
  localPresence?: boolean;
  memberDefault?: string | null;
}

/** A phone whose server knows these numbers; local presence finds the one in Washington. */
function open({
  numbers = [
    { number: washington, label: null },
    { number: denver, label: "Sales" },
  ],
  localPresence = false,
  memberDefault = null,
}: Given = {}) {
  const opened = openTestPhone();
  const start = vi.spyOn(opened.phone.driver, "start");
  const { fetch } = globalThis;
  const consultations: { callerId?: string }[] = [];
  vi.stubGlobal("fetch", async (given: URL | string, init: RequestInit) => {
    const url = new URL(given, location.href);
    if (url.pathname.endsWith("/consultation")) consultations.push(JSON.parse(String(init.body)));
    if (!url.pathname.endsWith("/v1/caller-ids")) return fetch(given, init);
    const isLocal = localPresence && url.searchParams.get("phoneNumber") === callee;
    const usual = {
      number: memberDefault ?? denver,
      reason: memberDefault ? "member-default" : "organisation-default",
    };
    const automatic = isLocal ? { number: washington, reason: "local-presence" } : usual;
    return Response.json({ numbers, automatic, memberDefault, localPresence });
  });
  render(
    <PhoneContext value={opened.phone}>
      <CallerIdMenu />
    </PhoneContext>,
  );
  return { ...opened, start, consultations };
}
const shown = () => document.querySelector("[data-caller-id]")?.textContent;
const openMenu = async () => {
  const button = await waitFor(() => {
    const found = document.querySelector<HTMLElement>("[data-caller-id]");
    if (!found) throw new Error("No choice is shown.");
    return found;
  });
  fireEvent.keyDown(button, { key: "Enter" });
};
const choose = async (name: RegExp) => {
  await openMenu();
  fireEvent.click(await screen.findByRole("menuitemradio", { name }));
};

test("shows what callees see, and a call shows the number chosen instead, the next one too", async () => {
  const { phone, start } = open();
  await waitFor(() => expect(shown()).toBe("Caller ID+1 720 555 0100"));
  await act(() => phone.start(callee));
  expect(start).toHaveBeenLastCalledWith(expect.not.objectContaining({ callerId: expect.anything() }));
  await choose(/\+1 202 555 0100/);
  expect(shown()).toBe("Caller ID+1 202 555 0100");
  for (const line of ["+12025550198", "+12025550197"]) {
    act(() => phone.leave());
    await act(() => phone.start(line));
    expect(start).toHaveBeenLastCalledWith(expect.objectContaining({ phoneNumber: line, callerId: washington }));
  }
  await choose(/^Automatic/);
  expect(shown()).toBe("Caller ID+1 720 555 0100");
  expect(chosenCallerId.read()).toBeNull();
});

test("a call on the second line shows the chosen number too", async () => {
  const { phone, reportOf, consultations } = open();
  await choose(/\+1 202 555 0100/);
  await act(() => phone.start(callee));
  act(() => void reportOf(callee, { status: "in-progress", answeredAt: new Date().toISOString() }));
  await act(() => phone.consult({ phoneNumber: "+12025550198" }));
  expect(consultations).toEqual([expect.objectContaining({ phoneNumber: "+12025550198", callerId: washington })]);
});

test("shows the local number once the callee's is whole", async () => {
  const { phone } = open({ localPresence: true });
  await waitFor(() => expect(shown()).toBe("Caller IDA local number, if you have one"));
  act(() => phone.setPadText("(202) 555-0199"));
  await waitFor(() => expect(shown()).toBe("Caller ID+1 202 555 0100 · local"));
  act(() => phone.setPadText("+44 20 7946 0000"));
  await waitFor(() => expect(shown()).toBe("Caller ID+1 720 555 0100"));
});

test("names the user's default", async () => {
  open({ memberDefault: washington });
  await waitFor(() => expect(shown()).toBe("Caller ID+1 202 555 0100 · your default"));
});

test("is absent with a single number, and a number that is gone is not sent", async () => {
  chosenCallerId.choose(denver);
  const { phone, start } = open({ numbers: [{ number: washington, label: null }] });
  await act(() => phone.start(callee));
  expect(start).toHaveBeenLastCalledWith(expect.not.objectContaining({ callerId: expect.anything() }));
  expect(shown()).toBeUndefined();
});

test("after the server refuses the chosen number, the next call shows the automatic one", async () => {
  const { phone, start, refuseNextStart } = open();
  await choose(/Sales/);
  const detail = "Your calls can’t show +17205550100.";
  const errors = [{ field: "callerId", message: detail }];
  refuseNextStart(new ProblemError({ code: "invalid-input", title: "Invalid", detail, status: 422, errors }));
  await act(() => phone.start(callee));
  expect(start).toHaveBeenLastCalledWith(expect.objectContaining({ callerId: denver }));
  expect(phone.getState().startFailure).toBe(detail);
  expect(chosenCallerId.read()).toBeNull();
});
