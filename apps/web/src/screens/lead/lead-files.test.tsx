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

const file = (name: string, bytes: number) => new File([new Uint8Array(bytes)], name, { type: "application/pdf" });

test("a file that is larger than any may be is refused before it is sent; one of the most that may be is sent", async () => {
  const fetched = vi.fn<() => Promise<Response>>(async () => Response.json([], { status: 201 }));
  vi.stubGlobal("fetch", fetched);
  await showScreens({
    at: "/lead",
    screens: { "/lead": () => <LeadFiles leadId="a-lead" /> },
    known: [[leadFilesQuery("a-lead").queryKey, []]],
  });
  const choose = (files: readonly File[]) =>
    fireEvent.change(screen.getByLabelText("Add files"), { target: { files } });
  choose([file("small.pdf", 10), file("huge.pdf", 10 * 2 ** 20 + 1)]);
  await screen.findByText("Send files of less than 10 MB each.");
  expect(fetched).not.toHaveBeenCalled();
  choose([file("large.pdf", 10 * 2 ** 20)]);
  await vi.waitFor(() => expect(fetched).toHaveBeenCalledOnce());
});
