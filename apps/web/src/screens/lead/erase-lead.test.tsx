// @vitest-environment happy-dom
import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { session } from "../../data/session.ts";
import { bob } from "../../data/testing/some-lead.ts";
import { showScreens } from "../../routes/testing/show-screens.tsx";
import { EraseLeadDialog } from "./erase-lead.tsx";

beforeEach(() => session.store({ accessToken: "access", refreshToken: "refresh" }));
afterEach(() => {
  cleanup();
  session.clear();
  vi.unstubAllGlobals();
});

test("erasing a lead says what goes and what stays, asks for the password, and leads to the list", async () => {
  const sent: unknown[] = [];
  vi.stubGlobal("fetch", async (_: string, { body }: { body: string }) => {
    sent.push(JSON.parse(body));
    if (sent.length > 1) return new Response(null, { status: 204 });
    const detail = "Enter your password to erase this lead for good.";
    const problem = { type: "/api/docs#password-required", title: "Enter your password", status: 403, detail };
    return Response.json(problem, { status: 403, headers: { "content-type": "application/problem+json" } });
  });
  await showScreens({
    at: "/erase",
    screens: {
      "/leads": () => <h1>Leads</h1>,
      "/erase": () => <EraseLeadDialog lead={bob} onClose={() => undefined} />,
    },
  });
  const said = (await screen.findByRole("dialog")).textContent;
  for (const part of ["notes, files, voicemail", "call log and the statement", "do-not-call list, it stays"])
    expect(said).toContain(part);
  fireEvent.click(screen.getByRole("button", { name: "Erase for good" }));
  fireEvent.change(await screen.findByLabelText("Your password"), { target: { value: "my password" } });
  fireEvent.click(screen.getByRole("button", { name: "Confirm" }));
  await screen.findByRole("heading", { name: "Leads" });
  await waitFor(() => expect(sent).toEqual([{}, { currentPassword: "my password" }]));
});
