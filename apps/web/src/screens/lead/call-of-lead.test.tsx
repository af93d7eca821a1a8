// @vitest-environment happy-dom
import type { Call } from "@leadline/contract/calls";
import { act, cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { callOutcomesQuery } from "../../data/call-outcomes-query.ts";
import { meQuery } from "../../data/me-query.ts";
import { PhoneContext } from "../../phone/phone-context.ts";
import { testUserId } from "../../phone/testing/new-test-call.ts";
import { openTestPhone } from "../../phone/testing/open-test-phone.ts";
import { showScreens } from "../../routes/testing/show-screens.tsx";
import { CallOfLead } from "./call-of-lead.tsx";

beforeEach(() => localStorage.setItem("leadline.access-token", "for-the-test-server"));
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const ada = "+12025550100";
const lead = (id: string): Call["leads"][number] => ({ id, firstName: "Ada", lastName: "Ames", status: "New" });

test("shows note and outcome of the lead's current call until they are dismissed, and of no other call", async () => {
  const { phone, reportOf } = openTestPhone();
  await showScreens({
    at: "/lead",
    screens: {
      "/lead": () => (
        <PhoneContext value={phone}>
          <CallOfLead leadId="ada" />
        </PhoneContext>
      ),
    },
    known: [
      [meQuery.queryKey, { id: testUserId, activeOrganisation: { id: "o", role: "member" } }],
      [callOutcomesQuery.queryKey, []],
    ],
  });
  const report = (change: Partial<Call>) => act(() => void reportOf(ada, change));
  const answered = { status: "in-progress", answeredAt: new Date().toISOString() } as const;
  expect(screen.queryByRole("region")).toBeNull();
  await act(() => phone.start(ada));
  report({ ...answered, leads: [lead("bob")] });
  expect(screen.queryByRole("region")).toBeNull();
  report({ leads: [lead("ada"), lead("bob")] });
  expect(screen.queryByRole("region")).toBeNull();
  report({ leads: [lead("ada")] });
  screen.getByRole("region", { name: "This call" });
  screen.getByLabelText("Note");
  screen.getByRole("combobox", { name: "Outcome" });
  report({ status: "completed", line: null, endedAt: new Date().toISOString() });
  screen.getByRole("region", { name: "Your last call" });
  fireEvent.click(screen.getByRole("button", { name: "Done" }));
  expect(screen.queryByRole("region")).toBeNull();
});
