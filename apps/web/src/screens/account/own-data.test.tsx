// @vitest-environment happy-dom
import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { queryClient } from "../../data/query-client.ts";
import { session } from "../../data/session.ts";
import { OwnData } from "./own-data.tsx";

afterEach(() => {
  cleanup();
  queryClient.clear();
  session.clear();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const open = () =>
  render(
    <QueryClientProvider client={queryClient}>
      <OwnData />
    </QueryClientProvider>,
  );
const refuse = (status: number, code: string, detail: string) =>
  Response.json(
    { type: `/api/docs#${code}`, title: code, status, detail },
    { status, headers: { "content-type": "application/problem+json" } },
  );

test("deleting the account says what stays, asks for the password, and logs this browser out", async () => {
  session.store({ accessToken: "access", refreshToken: "refresh" });
  const sent: unknown[] = [];
  vi.stubGlobal("fetch", async (_: string, { body }: { body: string }) => {
    sent.push(JSON.parse(body));
    if (sent.length > 1) return new Response(null, { status: 204 });
    return refuse(403, "password-required", "Enter your password to delete your account for good.");
  });
  const left = vi.spyOn(location, "replace").mockImplementation(() => undefined);
  open();
  fireEvent.click(screen.getByRole("button", { name: "Delete account…" }));
  expect((await screen.findByRole("dialog")).textContent).toContain("belong to it and stay there");
  fireEvent.click(screen.getByRole("button", { name: "Delete account" }));
  fireEvent.change(await screen.findByLabelText("Your password"), { target: { value: "my password" } });
  fireEvent.click(screen.getByRole("button", { name: "Confirm" }));
  await waitFor(() => expect(left).toHaveBeenCalledWith("/"));
  expect(sent).toEqual([{}, { currentPassword: "my password" }]);
  expect(session.refreshToken()).toBeNull();
});

test("a download that fails says why", async () => {
  vi.stubGlobal("fetch", async () => refuse(404, "not-found", "me.png is missing on the server."));
  open();
  fireEvent.click(screen.getByRole("button", { name: "Download my data" }));
  expect(await screen.findByText("me.png is missing on the server.")).toBeTruthy();
});
