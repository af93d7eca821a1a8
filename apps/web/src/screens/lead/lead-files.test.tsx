// @vitest-environment happy-dom
import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { leadFilesQuery } from "../../data/leads-query.ts";
import { showScreens } from "../../routes/testing/show-screens.tsx";
import { LeadFiles } from "./lead-files.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const pdf = (name: string, bytes: number) => new File([new Uint8Array(bytes)], name, { type: "application/pdf" });

test("of several files the good ones are added, and each refused one is named with why; one too large is not even sent", async () => {
  const sent: string[] = [];
  vi.stubGlobal("fetch", async (_: URL | string, { body }: { body: FormData }) => {
    const file = body.getAll("file[]")[0];
    const name = file instanceof File ? file.name : "";
    sent.push(name);
    if (name !== "fake.pdf")
      return Response.json([{ id: name, name, sizeBytes: 10, userId: "me", userName: "Ann", createdAt: "2026-01-14" }]);
    const detail = "“fake.pdf” was not taken. Its content is not that of a .pdf file. Save it as one and try again.";
    return Response.json({ type: "/api/docs#file-refused", title: "This file", status: 422, detail }, { status: 422 });
  });
  await showScreens({
    at: "/lead",
    screens: { "/lead": () => <LeadFiles leadId="a-lead" /> },
    known: [[leadFilesQuery("a-lead").queryKey, []]],
  });
  const choose = (files: readonly File[]) =>
    fireEvent.change(screen.getByLabelText("Add files"), { target: { files } });
  choose([pdf("first.pdf", 10), pdf("fake.pdf", 10), pdf("huge.pdf", 10 * 2 ** 20 + 1), pdf("last.pdf", 10 * 2 ** 20)]);
  await screen.findByText("2 of 4 files were not added");
  expect(screen.getByText(/^“fake\.pdf” was not taken\. Its content/)).toBeTruthy();
  expect(screen.getByText("“huge.pdf” was not taken. It is larger than 10 MB.")).toBeTruthy();
  expect(sent).toEqual(["first.pdf", "fake.pdf", "last.pdf"]);
  choose([pdf("first.pdf", 10)]);
  await vi.waitFor(() => expect(screen.queryByRole("alert")).toBeNull());
});
