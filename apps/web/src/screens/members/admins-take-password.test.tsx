// @vitest-environment happy-dom
import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { session } from "../../data/session.ts";
import { showScreens } from "../../routes/testing/show-screens.tsx";
import { InviteDialog } from "./invite-dialog.tsx";
import { SentDialog } from "./sent-dialog.tsx";

beforeEach(() => session.store({ accessToken: "access", refreshToken: "refresh" }));
afterEach(() => {
  cleanup();
  session.clear();
  vi.unstubAllGlobals();
});

const invitation = {
  id: "0b0c3b8e-5a6d-4c39-9a39-6f5d0f1a0009",
  email: "kim@example.com",
  role: "admin",
  createdAt: "2026-11-21T12:00:00.000Z",
  expiresAt: "2026-11-28T12:00:00.000Z",
  delivered: true,
  mailedOften: false,
} as const;

/** A server that wants the password, then answers. Returns what is sent to it. */
function serveAfterPassword(answer: object): unknown[] {
  const sent: unknown[] = [];
  vi.stubGlobal("fetch", async (_: string, { body }: { body: string }) => {
    sent.push(JSON.parse(body));
    if (sent.length > 1) return Response.json(answer);
    const detail = "Enter your password to make someone an admin.";
    const problem = { type: "/api/docs#password-required", title: "Enter your password", status: 403, detail };
    return Response.json(problem, { status: 403, headers: { "content-type": "application/problem+json" } });
  });
  return sent;
}

async function confirmWith(password: string): Promise<void> {
  await screen.findByText("Enter your password to make someone an admin.");
  fireEvent.change(await screen.findByLabelText("Your password"), { target: { value: password } });
  fireEvent.click(screen.getByRole("button", { name: "Confirm" }));
}

test("inviting an admin asks for the password, then shows the invitation", async () => {
  const sent = serveAfterPassword(invitation);
  await showScreens({
    at: "/invite",
    screens: { "/invite": () => <InviteDialog organisationName="Harbour" onClose={() => undefined} /> },
  });
  fireEvent.change(screen.getByLabelText("Email"), { target: { value: invitation.email } });
  fireEvent.click(screen.getByRole("button", { name: "Send invitation" }));
  await confirmWith("my password");
  await screen.findByRole("dialog", { name: "Invitation sent" });
  expect(sent[1]).toMatchObject({ email: invitation.email, currentPassword: "my password" });
});

test("copying an admin's link asks for the password", async () => {
  const sent = serveAfterPassword({ url: "https://phone.example.com/invitation#token" });
  await showScreens({
    at: "/sent",
    screens: { "/sent": () => <SentDialog sent={invitation} onClose={() => undefined} /> },
  });
  fireEvent.click(screen.getByRole("button", { name: "Copy invitation link" }));
  await confirmWith("my password");
  await waitFor(() => expect(screen.queryByLabelText("Your password")).toBeNull());
  expect(sent).toEqual([{}, { currentPassword: "my password" }]);
});
