// @vitest-environment happy-dom
import { cleanup, screen, within } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { showScreens } from "../../routes/testing/show-screens.tsx";
import { SessionsScreen } from "./sessions-screen.tsx";

afterEach(cleanup);

const session = {
  ipAddress: "192.0.2.1",
  userAgent: "Mozilla/5.0 Firefox/145.0",
  createdAt: "2026-01-14T10:00:00Z",
  lastUsedAt: "2026-01-14T10:31:00Z",
};

test("shows the current session as active now, and when any other was last used", async () => {
  const sessions = [
    { ...session, id: "other", current: false },
    { ...session, id: "this", current: true },
  ];
  await showScreens({ at: "/sessions", screens: { "/sessions": SessionsScreen }, known: [[["sessions"], sessions]] });
  const [current, other] = within(screen.getByRole("list", { name: "Your sessions" })).getAllByRole("listitem");
  expect(current?.textContent).toContain("This session");
  expect(current?.textContent).toContain("active now");
  expect(current?.textContent).not.toContain("last active");
  expect(other?.textContent).toContain("last active");
});
