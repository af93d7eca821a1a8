// @vitest-environment happy-dom
import { act, render, screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { PhoneContext } from "../phone-context.ts";
import { testUserId } from "../testing/new-test-call.ts";
import { openTestPhone } from "../testing/open-test-phone.ts";
import { TestPanel } from "../testing/test-panel.tsx";

beforeEach(() => localStorage.setItem("leadline.access-token", "for-the-test-server"));

test("a transfer isn't reported to the person who has taken the call", async () => {
  const { phone, report } = openTestPhone();
  render(
    <PhoneContext value={phone}>
      <TestPanel />
    </PhoneContext>,
  );
  await act(() => phone.start("+12025550100"));
  const taken = (userId: string, name: string) => ({
    userId: testUserId,
    status: "in-progress" as const,
    transfer: {
      phoneNumber: "",
      member: { userId, name },
      leads: [],
      attended: false,
      status: "taken" as const,
      refusal: null,
      sip: null,
    },
  });
  act(() => void report(taken("0b0c3b8e-5a6d-4c39-9a39-6f5d0f1a0003", "Ada Byron")));
  await screen.findByText("Transferred to Ada Byron.");
  act(() => void report(taken(testUserId, "Robin Sounder")));
  await waitFor(() => expect(screen.queryByText(/^Transferred to/)).toBeNull());
});
