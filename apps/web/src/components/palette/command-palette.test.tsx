// @vitest-environment happy-dom
import { Outlet } from "@tanstack/react-router";
import { act, cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { meKey } from "../../data/me-key.ts";
import { quay } from "../../data/testing/some-organisation.ts";
import { PhoneContext } from "../../phone/phone-context.ts";
import { openTestPhone } from "../../phone/testing/open-test-phone.ts";
import { showScreens } from "../../routes/testing/show-screens.tsx";
import { CommandPalette } from "./command-palette.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test("a number typed during a call is shown with why it can't be called, and Enter does nothing else instead", async () => {
  const { phone } = openTestPhone();
  const onClose = vi.fn<() => void>();
  const layout = () => (
    <PhoneContext value={phone}>
      <Outlet />
    </PhoneContext>
  );
  const screens = { "/leads": () => <CommandPalette onClose={onClose} onShowShortcuts={onClose} /> };
  await showScreens({ at: "/leads", screens, layout, known: [[meKey, { activeOrganisation: quay }]] });
  const field = screen.getByRole("combobox");
  await act(async () => fireEvent.change(field, { target: { value: "+1 202 555 0101" } }));
  expect(screen.queryByText("You’re on a call")).toBeNull();

  await act(async () => void phone.start("+12025550102"));
  await waitFor(() => expect(phone.getState().dialled).toBe("+12025550102"));
  const call = (await screen.findByText("You’re on a call")).closest("[cmdk-item]");
  expect(call?.textContent).toContain("Call");
  await waitFor(() => expect(call?.getAttribute("aria-selected")).toBe("true"));
  fireEvent.keyDown(field, { key: "Enter" });
  expect(onClose).not.toHaveBeenCalled();
  expect(phone.getState().dialled).toBe("+12025550102");
});
