// @vitest-environment happy-dom
import { Link, Outlet } from "@tanstack/react-router";
import { act, cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { leadFilesQuery } from "../../data/leads-query.ts";
import { meQuery } from "../../data/me-query.ts";
import { session } from "../../data/session.ts";
import { showScreens } from "../../routes/testing/show-screens.tsx";
import { Toaster } from "../../ui/toaster.tsx";
import { LeadFiles } from "./lead-files.tsx";

beforeEach(() => session.store({ accessToken: "access", refreshToken: "refresh" }));
afterEach(() => {
  cleanup();
  session.clear();
  vi.unstubAllGlobals();
});

const me = { id: "me", activeOrganisation: { id: "o", role: "member" } };
const pdf = (name: string, bytes: number) => new File([new Uint8Array(bytes)], name, { type: "application/pdf" });

test("uploads the valid files, and names each refused one with the reason; too large ones aren't sent", async () => {
  const sent: string[] = [];
  vi.stubGlobal("fetch", async (_: URL | string, { body }: { body: FormData }) => {
    const file = body.getAll("file[]")[0];
    const name = file instanceof File ? file.name : "";
    sent.push(name);
    if (name !== "fake.pdf")
      return Response.json([{ id: name, name, sizeBytes: 10, userId: "me", userName: "Ann", createdAt: "2026-01-14" }]);
    const detail = "“fake.pdf” wasn’t uploaded. Its content isn’t a .pdf file. Save it in that format and try again.";
    return Response.json({ type: "/api/docs#file-refused", title: "This file", status: 422, detail }, { status: 422 });
  });
  await showScreens({
    at: "/lead",
    screens: { "/lead": () => <LeadFiles leadId="a-lead" isShown /> },
    known: [
      [leadFilesQuery("a-lead").queryKey, []],
      [meQuery.queryKey, me],
    ],
  });
  const choose = (files: readonly File[]) =>
    fireEvent.change(screen.getByLabelText("Add files"), { target: { files } });
  choose([pdf("first.pdf", 10), pdf("fake.pdf", 10), pdf("huge.pdf", 10 * 2 ** 20 + 1), pdf("last.pdf", 10 * 2 ** 20)]);
  await screen.findByText("2 of 4 files weren’t added");
  expect(screen.getByText(/^“fake\.pdf” wasn’t uploaded\. Its content/)).toBeTruthy();
  expect(screen.getByText("“huge.pdf” wasn’t uploaded. It’s larger than 10 MB.")).toBeTruthy();
  expect(sent).toEqual(["first.pdf", "fake.pdf", "last.pdf"]);
  choose([pdf("first.pdf", 10)]);
  await vi.waitFor(() => expect(screen.queryByRole("alert")).toBeNull());
});

/** A lead's files, with one upload in progress that the server is about to refuse. */
async function startUpload({ isShown }: { isShown: boolean }) {
  const { promise, resolve } = Promise.withResolvers<Response>();
  vi.stubGlobal("fetch", () => promise);
  const Lead = () => (
    <>
      <LeadFiles leadId="a-lead" isShown={isShown} />
      <Link to="/calls">Elsewhere</Link>
    </>
  );
  const layout = () => (
    <>
      <Outlet />
      <Toaster atTop={false} />
    </>
  );
  await showScreens({
    at: "/lead",
    screens: { "/lead": Lead, "/calls": () => <h1>Calls</h1> },
    layout,
    known: [
      [leadFilesQuery("a-lead").queryKey, []],
      [meQuery.queryKey, me],
    ],
  });
  const files = [pdf("fake.pdf", 10), pdf("huge.pdf", 10 * 2 ** 20 + 1)];
  await act(async () => fireEvent.change(screen.getByLabelText("Add files"), { target: { files } }));
  const problem = { type: "/api/docs#file-refused", title: "This file", status: 422, detail: "It is no PDF." };
  return { refuse: () => act(async () => resolve(Response.json(problem, { status: 422 }))) };
}
const press = (role: "button" | "link", name: string) =>
  act(async () => fireEvent.click(screen.getByRole(role, { name })));
const bothNames = "“fake.pdf”, “huge.pdf”";

test("leaving during uploads asks first, and a toast then reports refused files", async () => {
  const { refuse } = await startUpload({ isShown: true });
  await press("link", "Elsewhere");
  await screen.findByRole("dialog", { name: "Leave without saving?" });
  await press("button", "Leave");
  await screen.findByRole("heading", { name: "Calls" });
  await refuse();
  expect(await screen.findByText(bothNames)).toBeTruthy();
});

test("files refused while the question to leave is open, which then lets the user go, are reported by a toast", async () => {
  const { refuse } = await startUpload({ isShown: true });
  await press("link", "Elsewhere");
  await screen.findByRole("dialog", { name: "Leave without saving?" });
  await refuse();
  await screen.findByRole("heading", { name: "Calls" });
  expect(await screen.findByText(bothNames)).toBeTruthy();
});

test("files refused while another tab of the lead is open are reported by a toast, with the reason under the files", async () => {
  const { refuse } = await startUpload({ isShown: false });
  await refuse();
  expect(await screen.findByText(bothNames)).toBeTruthy();
  expect(screen.getByText("“fake.pdf”: It is no PDF.")).toBeTruthy();
});
