// @vitest-environment happy-dom
import { Outlet } from "@tanstack/react-router";
import { act, cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { showScreens } from "../routes/testing/show-screens.tsx";
import { PhoneContext } from "./phone-context.ts";
import { openTestPhone } from "./testing/open-test-phone.ts";
import { useCallNumber } from "./use-call-number.ts";

afterEach(cleanup);

function CallButton() {
  const call = useCallNumber();
  return (
    <button type="button" onClick={() => call?.("+12025550101")}>
      Call
    </button>
  );
}

test.each([
  ["/leads", "/calls"],
  ["/calls?tab=not-reached", "/calls?tab=not-reached"],
])("a number called on %s is called, and the phone is shown at %s", async (at, shown) => {
  const { phone } = openTestPhone();
  const layout = () => (
    <PhoneContext value={phone}>
      <Outlet />
    </PhoneContext>
  );
  const { router } = await showScreens({ at, screens: { "/leads": CallButton, "/calls": CallButton }, layout });
  await act(async () => fireEvent.click(screen.getByText("Call")));
  await waitFor(() => expect(phone.getState().dialled).toBe("+12025550101"));
  expect(router.state.location.href).toBe(shown);
});
