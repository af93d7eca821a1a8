// @vitest-environment happy-dom
import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { leaveWhileOthersSave } from "../../components/testing/leave-while-others-save.tsx";
import { voicemailSettingsQuery } from "../../data/voicemail-query.ts";
import { showScreens } from "../../routes/testing/show-screens.tsx";
import { VoicemailForm } from "./voicemail-form.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const before = {
  enabled: true,
  ringSeconds: 20,
  keepDays: 90 as 7 | 90,
  greetingId: null,
  greetings: [],
  defaultGreetingMs: 7_800,
  used: { messages: 2, durationMs: 84_000 },
  full: false,
};
const show = (settings: Parameters<typeof VoicemailForm>[0]["settings"], mayChange: boolean) =>
  showScreens({
    at: "/voicemail",
    screens: { "/voicemail": () => <VoicemailForm settings={settings} mayChange={mayChange} /> },
    known: [[voicemailSettingsQuery.queryKey, settings]],
  });

test.each([
  ["4", "Between 5 and 60 seconds."],
  ["61", "Between 5 and 60 seconds."],
  ["", "Enter a whole number."],
])("a ring time of “%s” is refused with “%s”, and nothing is saved", async (value, words) => {
  const fetched = vi.fn<() => Promise<Response>>(async () => Response.json({}));
  vi.stubGlobal("fetch", fetched);
  await show(before, true);
  fireEvent.change(screen.getByLabelText("Seconds to ring first"), { target: { value } });
  fireEvent.click(screen.getByRole("button", { name: "Save changes" }));
  await screen.findByText(words);
  expect(fetched).not.toHaveBeenCalled();
});

test("a member sees the settings and how full the mailbox is, and who may change them", async () => {
  await show({ ...before, full: true }, false);
  screen.getByText("Only an owner can change voicemail settings.");
  screen.getByText("2, using 1:24 of 2 hours.");
  screen.getByText("Voicemail is full");
  for (const control of [screen.getByRole("checkbox"), screen.getByRole("radio"), screen.getByRole("spinbutton")])
    expect(control).toHaveProperty("disabled", true);
  expect(screen.queryByRole("button", { name: "Save changes" })).toBeNull();
  expect(screen.queryByLabelText("Upload your own greeting")).toBeNull();
});

test("another user's save doesn't answer an open question to leave, and keeps what was typed", async () => {
  const left = await leaveWhileOthersSave({
    form: (settings) => <VoicemailForm settings={settings} mayChange />,
    before,
    after: { ...before, keepDays: 7 as 7 | 90 },
    typed: ["Seconds to ring first", "30"],
    changed: "A week",
  });
  expect(left).toEqual({ at: "/form", typed: "30" });
});
