// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { leadNotesQuery } from "../../data/leads-query.ts";
import { meQuery } from "../../data/me-query.ts";
import { queryClient } from "../../data/query-client.ts";
import { showScreens } from "../../routes/testing/show-screens.tsx";
import { LeadNotes } from "./lead-notes.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const note = (id: string, userId: string) => ({
  id,
  userId,
  userName: userId === "me" ? "Ann Lo" : "Bob Stone",
  text: `Note ${id}`,
  createdAt: "2026-01-14T10:00:00Z",
});
const notes = [note("mine", "me"), note("his", "bob")];
const showNotes = (role: "member" | "admin") =>
  showScreens({
    at: "/lead",
    screens: { "/lead": () => <LeadNotes leadId="a-lead" /> },
    known: [
      [leadNotesQuery("a-lead").queryKey, notes],
      [meQuery.queryKey, { id: "me", activeOrganisation: { id: "harbour", role } }],
    ],
  });
const press = (name: string | RegExp) =>
  act(async () => void fireEvent.click(await screen.findByRole("button", { name })));

test("a note's author can delete it after confirming, and can't delete another's", async () => {
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (url: URL | string, { method = "GET" }: RequestInit = {}) => {
    asked.push(`${method} ${new URL(url, location.href).pathname}`);
    return new Response(null, { status: 204 });
  });
  queryClient.setQueryData(leadNotesQuery("a-lead").queryKey, notes);
  await showNotes("member");
  expect(screen.queryByRole("button", { name: /^Delete the note by Bob/ })).toBeNull();
  await press(/^Delete the note by Ann Lo/);
  expect(asked).toEqual([]);
  await press("Delete note");
  await waitFor(() => expect(asked).toEqual(["DELETE /api/v1/lead-notes/mine"]));
  const left = queryClient.getQueryData(leadNotesQuery("a-lead").queryKey);
  expect(left?.map(({ id }) => id)).toEqual(["his"]);
});

test("an admin can delete any member's note", async () => {
  await showNotes("admin");
  expect(screen.getAllByRole("button", { name: /^Delete the note by/ })).toHaveLength(2);
});

test("deleting a note that a colleague has already deleted succeeds", async () => {
  const problem = { type: "/api/docs#not-found", title: "Not found", status: 404, detail: "There is no such note." };
  vi.stubGlobal("fetch", async () => Response.json(problem, { status: 404 }));
  queryClient.setQueryData(leadNotesQuery("a-lead").queryKey, notes);
  await showNotes("member");
  await press(/^Delete the note by Ann Lo/);
  await press("Delete note");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(queryClient.getQueryData(leadNotesQuery("a-lead").queryKey)?.map(({ id }) => id)).toEqual(["his"]);
});
