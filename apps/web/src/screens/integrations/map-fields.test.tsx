// @vitest-environment happy-dom
import type { CrmField } from "@leadline/contract/crm-mapping";
import { CrmService, Integration } from "@leadline/contract/integrations";
import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { showScreens } from "../../routes/testing/show-screens.tsx";
import { MapFields } from "./map-fields.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const nothing = {
  fullName: null,
  firstName: null,
  lastName: null,
  email: null,
  phone: null,
  company: null,
  jobTitle: null,
  status: null,
  owner: null,
};
const fields: CrmField[] = [
  { id: "1", name: "Title", kind: "text" },
  { id: "2", name: "Mail", kind: "email" },
];

async function show(source: string) {
  const integration = Integration.parse({
    id: crypto.randomUUID(),
    label: "Board",
    service: CrmService.options[1],
    workspaceDomain: null,
    status: "active",
    problem: null,
    mapping: { source: "kept", sourceName: "Kept", fields: { ...nothing, lastName: "1", phone: "gone" } },
    lastSync: null,
  });
  const suggested = { ...nothing, fullName: "1", email: "2" };
  const sent = vi.fn<(body: unknown) => void>();
  vi.stubGlobal("fetch", async (given: RequestInfo, init?: RequestInit) => {
    const request = new Request(given, init);
    if (request.method === "PUT") sent(await request.json());
    return Response.json(request.method === "PUT" ? integration : []);
  });
  const screens = {
    "/map": () => <MapFields integration={integration} source={source} fields={fields} suggested={suggested} />,
    "/integrations": () => null,
  };
  await showScreens({ at: "/map", screens });
  const shown = screen.getAllByRole("combobox").map(({ textContent }) => textContent);
  fireEvent.click(screen.getByRole("button", { name: "Save" }));
  return { shown, sent, integration };
}

test("another source begins with what is suggested for it", async () => {
  const { shown, sent } = await show("other");
  expect(shown).toEqual(["Title", "Nothing", "Nothing", "Mail", ...Array(5).fill("Nothing")]);
  await vi.waitFor(() =>
    expect(sent).toHaveBeenCalledWith({ source: "other", fields: { ...nothing, fullName: "1", email: "2" } }),
  );
});

test("the source that is kept begins with what was chosen, without a field that is gone", async () => {
  const { shown, sent } = await show("kept");
  expect(shown).toEqual(["Nothing", "Nothing", "Title", ...Array(6).fill("Nothing")]);
  await vi.waitFor(() => expect(sent).toHaveBeenCalledWith({ source: "kept", fields: { ...nothing, lastName: "1" } }));
});
