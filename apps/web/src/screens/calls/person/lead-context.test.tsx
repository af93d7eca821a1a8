// @vitest-environment happy-dom
import { cleanup, screen, within } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { leadFilesQuery, leadNotesQuery } from "../../../data/leads-query.ts";
import { showScreens } from "../../../routes/testing/show-screens.tsx";
import { LeadContext } from "./lead-context.tsx";

afterEach(cleanup);

const createdAt = "2026-11-20T10:00:00Z";
const note = (text: string) => ({ id: text, text, userId: "u", userName: "Robin Sounder", createdAt });
const file = { id: "f", name: "offer.pdf", sizeBytes: 2048, userId: "u", userName: "Robin Sounder", createdAt };

const show = (notes: readonly unknown[], files: readonly unknown[]) =>
  showScreens({
    at: "/calls",
    screens: { "/calls": () => <LeadContext leadId="bob" />, "/leads/$leadId": () => null },
    known: [
      [leadNotesQuery("bob").queryKey, notes],
      [leadFilesQuery("bob").queryKey, files],
    ],
  });

test("shows the lead's newest notes and files during the call, with a link to the rest", async () => {
  await show(["Wants a quote", "Prefers mornings", "Knows Ann", "Met in May"].map(note), [file]);
  const notes = within(screen.getByRole("region", { name: "Notes" }));
  expect(notes.getAllByRole("listitem").map((item) => item.querySelector("p")?.textContent)).toEqual([
    "Wants a quote",
    "Prefers mornings",
    "Knows Ann",
  ]);
  expect(notes.getByRole("link", { name: "All 4 notes" }).getAttribute("href")).toBe("/leads/bob");
  const files = within(screen.getByRole("region", { name: "Files" }));
  files.getByRole("button", { name: /^Download offer\.pdf/ });
  expect(files.queryByRole("link")).toBeNull();
});

test("shows nothing for a lead without notes and files", async () => {
  await show([], []);
  expect(screen.queryByRole("heading")).toBeNull();
});
