// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ProblemError } from "../../data/problem-error.ts";
import { queryClient } from "../../data/query-client.ts";
import { TooltipProvider } from "../../ui/tooltip.tsx";
import { ActiveCallScreen } from "../in-call/active-call-screen.tsx";
import { PhoneContext, usePhoneState } from "../phone-provider.tsx";
import { openTestPhone } from "../testing/open-test-phone.ts";
import { DialPad } from "./dial-pad.tsx";
import { StartFailedDialog } from "./start-failed-dialog.tsx";

function Panel() {
  const { screen: shown, phase } = usePhoneState();
  return shown === "active-call" && phase === "live" ? (
    <ActiveCallScreen onSettings={() => {}} />
  ) : (
    <DialPad recentNumbers={["+12025550107", "+442079460000"]} />
  );
}

function show(options: Parameters<typeof openTestPhone>[0] = {}) {
  const opened = openTestPhone(options);
  render(
    <PhoneContext value={opened.phone}>
      <TooltipProvider>
        <StartFailedDialog />
        <Panel />
      </TooltipProvider>
    </PhoneContext>,
  );
  return opened;
}

const field = () => screen.getByPlaceholderText<HTMLInputElement>("Phone number");
const press = (name: string) => fireEvent.click(screen.getByRole("button", { name }));
const type = (keys: string) => {
  for (const key of keys) fireEvent.keyDown(document.body, { key });
};
const startCall = async (opened: ReturnType<typeof show>, number = "2025550100") => {
  await opened.phone.devices.whenReady;
  type(number);
  press("Call");
  await screen.findByRole("button", { name: "Hang up" });
  await waitFor(() => expect(opened.phone.getState().phase).toBe("live"));
};

beforeEach(() => localStorage.setItem("leadline.access-token", "for-the-test-server"));
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

describe("the dial pad", () => {
  test("has the keys 1 to 9, star, 0, hash, and a row with plus sign, call and backspace", () => {
    show();
    const names = within(screen.getByRole("group", { name: "Keypad" }))
      .getAllByRole("button")
      .map((button) => button.getAttribute("aria-label"));
    expect(names).toEqual(["1", "2", "3", "4", "5", "6", "7", "8", "9", "Star", "0", "Hash"]);
    for (const name of ["Plus sign", "Call", "Backspace"]) expect(screen.getByRole("button", { name })).toBeTruthy();
  });
  test("typing anywhere fills it, letters are ignored, and each key sounds", () => {
    const { sounds } = show();
    type("2a0b2");
    expect(field().value).toBe("(202)");
    press("5");
    expect(field().value).toBe("(202) 5");
    press("Backspace");
    press("Backspace");
    expect(field().value).toBe("20");
    expect(sounds).toEqual(["key", "key", "key", "key"]);
  });
  test("typing in another field stays there", () => {
    show();
    const other = document.body.appendChild(document.createElement("input"));
    fireEvent.keyDown(other, { key: "7" });
    expect(field().value).toBe("");
    other.remove();
  });
  test("a plus and a country code set the country", () => {
    show();
    type("+49");
    expect(screen.getByRole("img", { name: "Country: Germany" })).toBeTruthy();
  });
  test("a sentence can be pasted anywhere on the page", () => {
    show();
    const clipboardData = { getData: () => "Call me at +44 20 7946 0000 before 5." };
    fireEvent(document.body, Object.assign(new Event("paste", { bubbles: true, cancelable: true }), { clipboardData }));
    expect(field().value).toBe("+44 20 7946 0000");
  });
  test("the whole number replaced at once by the same one, written plainly, keeps its last digit", () => {
    show();
    type("+12025550100");
    expect(field().value).toBe("+1 202 555 0100");
    fireEvent.input(field(), { target: { value: "+12025550100" }, inputType: "insertText" });
    expect(field().value).toBe("+1 202 555 0100");
    fireEvent.input(field(), { target: { value: "+1 202 5550100" }, inputType: "deleteContentBackward" });
    expect(field().value).toBe("+1 202 555 010");
  });
  test("enter on an empty pad recalls the last number, and then calls it", async () => {
    const { phone } = show();
    await phone.devices.whenReady;
    fireEvent.keyDown(document.body, { key: "Enter" });
    expect(field().value).toBe("+1 202 555 0107");
    fireEvent.keyDown(document.body, { key: "Enter" });
    await waitFor(() => expect(phone.getState().call?.phoneNumber).toBe("+12025550107"));
  });
  test("a recent number is offered while its digits are typed", () => {
    show();
    type("+4420");
    press("+44 20 7946 0000");
    expect(field().value).toBe("+44 20 7946 0000");
  });
});

describe("a call from the pad", () => {
  test("shows hide, hang up and backspace, and starts the dialing sound until the answer", async () => {
    const opened = show();
    await startCall(opened);
    expect(opened.sounds).toContain("dialing");
    for (const name of ["Hide", "Hang up", "Backspace"]) expect(screen.getByRole("button", { name })).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Call" })).toBeNull();
    opened.sounds.length = 0;
    act(() => void opened.report({ status: "in-progress", answeredAt: new Date().toISOString() }));
    expect(opened.sounds).toEqual(["dialing stopped"]);
    expect(screen.getByRole("timer").textContent).toBe("0:00");
  });
  test("sends each key at once and shows it", async () => {
    const opened = show();
    await startCall(opened);
    act(() => void opened.report({ status: "in-progress", answeredAt: new Date().toISOString() }));
    press("4");
    type("2");
    press("Hash");
    expect(screen.getByLabelText<HTMLInputElement>("Keys sent").value).toBe("42#");
    await waitFor(() => expect(opened.digits).toEqual(["4", "2", "#"]));
  });
  test("hide shows the call's controls, and their keypad button the pad", async () => {
    const opened = show();
    await startCall(opened);
    press("Hide");
    expect(screen.queryByRole("group", { name: "Keypad" })).toBeNull();
    press("Keypad");
    expect(screen.getByRole("group", { name: "Keypad" })).toBeTruthy();
  });
  test("mute is told to the server, sounds, and follows another tab", async () => {
    const opened = show();
    await startCall(opened);
    press("Hide");
    const mute = () => screen.getByRole("button", { name: "Mute" }).getAttribute("aria-pressed");
    press("Mute");
    expect(mute()).toBe("true");
    expect(opened.sounds).toContain("mute on");
    await waitFor(() => expect(opened.phone.getState().call?.muted).toBe(true));
    await act(async () => void opened.report({ muted: false }));
    await waitFor(() => expect(mute()).toBe("false"));
  });
  test("says why it ended and for how long, keeps the number and calls again", async () => {
    const opened = show();
    await startCall(opened);
    act(() => void opened.report({ status: "busy", cause: { reason: "busy", sip: 486, q850: 17 } }));
    expect(screen.getByRole("region", { name: "Call ended" }).textContent).toContain("The line is busy.");
    expect(field().value).toBe("(202) 555-0100");
    press("Call again");
    await waitFor(() => expect(opened.phone.getState().phase).toBe("live"));
  });
  test("a start that fails says why, clears the active state and keeps the number", async () => {
    const opened = show();
    await opened.phone.devices.whenReady;
    const detail = "Your carrier cannot be reached.";
    opened.refuseNextStart(new ProblemError({ code: "carrier-unreachable", title: "", detail, status: 502 }));
    type("2025550100");
    press("Call");
    const dialog = await screen.findByRole("alertdialog", { name: "Failed to start call" });
    expect(dialog.textContent).toContain(detail);
    fireEvent.click(within(dialog).getByRole("button", { name: "OK" }));
    expect(field().value).toBe("(202) 555-0100");
    expect(opened.sounds.at(-1)).toBe("dialing stopped");
  });
  test("a refused microphone is called that, not an ended call", async () => {
    const opened = show({ microphoneRefusal: "NotAllowedError" });
    opened.phone.devices.subscribe(() => {});
    await opened.phone.devices.open().catch(() => {});
    type("2025550100");
    press("Call");
    const dialog = await screen.findByRole("alertdialog", { name: "Failed to start call" });
    expect(dialog.textContent).toContain("may not use your microphone");
    expect(screen.queryByRole("region", { name: "Call ended" })).toBeNull();
  });
});

describe("finding a lead from the pad", () => {
  const lead = (firstName: string, phoneNumber: string | null) => ({
    id: `id-${firstName}`,
    firstName,
    lastName: "Stone",
    email: "stone@example.com",
    phone: phoneNumber ?? "none",
    phoneNumber,
    status: "Working",
    followUpOn: null,
    integrationId: null,
    createdAt: "2026-01-14T10:00:00Z",
    updatedAt: "2026-01-14T10:00:00Z",
  });
  const leads = [lead("Bob", "+12025550100"), lead("Ada", "+442079460018"), lead("Nix", null)];
  const answerLeads = () => {
    const asked: string[] = [];
    vi.stubGlobal("fetch", async (url: string) => {
      asked.push(new URL(url, "http://localhost").searchParams.get("search") ?? "");
      return Response.json(leads);
    });
    return asked;
  };
  const write = (text: string) => {
    field().focus();
    fireEvent.change(field(), { target: { value: text } });
  };
  beforeEach(() => queryClient.clear());

  test("letters find leads; the arrows choose, Enter puts the number on the pad, and a second Enter calls it", async () => {
    const { phone } = show();
    const asked = answerLeads();
    write("sto");
    const options = await screen.findAllByRole("option");
    expect(options.map((option) => option.textContent)).toEqual([
      "Bob Stone+1 202 555 0100Working",
      "Ada Stone+44 20 7946 0018Working",
    ]);
    expect(asked).toEqual(["sto"]);
    await waitFor(() => expect(options[0]?.getAttribute("aria-selected")).toBe("true"));
    fireEvent.keyDown(field(), { key: "ArrowDown" });
    expect(field().getAttribute("aria-activedescendant")).toBe(options[1]?.id);
    fireEvent.keyDown(field(), { key: "Enter" });
    expect(field().value).toBe("+44 20 7946 0018");
    expect(phone.getState().phase).toBe("idle");
    await screen.findByText("Ada Stone");
  });
  test("Escape closes the list before it clears the pad, and Enter never dials letters", async () => {
    const { phone } = show();
    answerLeads();
    write("bob");
    await screen.findAllByRole("option");
    fireEvent.keyDown(field(), { key: "Escape" });
    expect([screen.queryByRole("listbox"), field().value]).toEqual([null, "bob"]);
    fireEvent.keyDown(field(), { key: "Enter" });
    expect([field().value, phone.getState().phase]).toEqual(["bob", "idle"]);
    fireEvent.keyDown(field(), { key: "Escape" });
    expect(field().value).toBe("");
  });
  test("digits find leads too, but Enter dials what is typed unless one is chosen", async () => {
    show();
    const asked = answerLeads();
    write("2025");
    await screen.findAllByRole("option");
    expect(asked).toEqual(["2025"]);
    expect(field().getAttribute("aria-activedescendant")).toBeNull();
    field().blur();
    fireEvent.blur(field());
    expect(screen.queryByRole("listbox")).toBeNull();
    fireEvent.click(screen.getByRole("button", { name: "Bob Stone" }));
    expect(field().value).toBe("+1 202 555 0100");
  });
});
