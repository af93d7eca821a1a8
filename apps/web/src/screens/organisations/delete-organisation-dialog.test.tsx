// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { toast } from "sonner";
import { afterEach, expect, test, vi } from "vitest";
import { meQuery } from "../../data/me-query.ts";
import { quay } from "../../data/testing/some-organisation.ts";
import { showScreens } from "../../routes/testing/show-screens.tsx";
import { DeleteOrganisationDialog } from "./delete-organisation-dialog.tsx";

const close = vi.fn<() => void>();
afterEach(() => {
  cleanup();
  close.mockClear();
  toast.dismiss();
  vi.unstubAllGlobals();
});

const refusal = {
  type: "/api/docs#organisation-in-use",
  title: "The organisation cannot be deleted yet",
  status: 409,
  detail: "Somebody is in a call there. Delete it once every call has ended.",
};
const button = () => screen.getByRole<HTMLButtonElement>("button", { name: "Delete organisation" });
const press = () => act(async () => fireEvent.click(button()));

test("an organisation is deleted once its name is typed, and a refusal stays with its reason until it holds no more", async () => {
  const asked: string[] = [];
  let answer = Response.json(refusal, { status: 409 });
  vi.stubGlobal("fetch", async (url: URL | string, { method = "GET" }: RequestInit = {}) => {
    if (method === "GET") return Response.json([]);
    asked.push(`${method} ${new URL(url, location.href).pathname}`);
    return answer;
  });
  await showScreens({
    at: "/settings/organisations",
    screens: { "/settings/organisations": () => <DeleteOrganisationDialog organisation={quay} onClose={close} /> },
    known: [[meQuery.queryKey, { id: "me", activeOrganisation: quay }]],
  });
  const field = screen.getByLabelText("Type “Quay” to confirm");
  for (const [typed, isDisabled] of [
    ["", true],
    ["quay", true],
    ["Quay ", false],
  ] as const) {
    fireEvent.change(field, { target: { value: typed } });
    expect({ typed, isDisabled: button().disabled }).toEqual({ typed, isDisabled });
  }
  await press();
  await screen.findByText(refusal.detail);
  expect(close).not.toHaveBeenCalled();
  answer = new Response(null, { status: 204 });
  await press();
  await waitFor(() => expect(close).toHaveBeenCalledOnce());
  expect(asked).toEqual(Array.from({ length: 2 }, () => `DELETE /api/v1/organisations/${quay.id}`));
});
