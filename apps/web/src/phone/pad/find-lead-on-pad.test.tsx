// @vitest-environment happy-dom
import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { meQuery } from "../../data/me-query.ts";
import { queryClient } from "../../data/query-client.ts";
import { padField, press, showDialPad } from "../testing/show-dial-pad.tsx";

beforeEach(() => localStorage.setItem("leadline.access-token", "for-the-test-server"));
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

describe("finding a lead from the pad", () => {
  const lead = (firstName: string, phoneNumber: string | null) => ({
    id: `id-${firstName}`,
    firstName,
    lastName: "Stone",
    email: "stone@example.com",
    phone: phoneNumber ?? "none",
    phoneNumber,
    status: "Working",
    followUpOn: null,
    followUpTime: null,
    followUpOwner: null,
    integrationId: null,
    doNotCall: false,
    company: "",
    jobTitle: "",
    crmUrl: null,
    createdAt: "2026-01-14T10:00:00Z",
    updatedAt: "2026-01-14T10:00:00Z",
  });
  const leads = [lead("Bob", "+12025550100"), lead("Ada", "+442079460018"), lead("Nix", null)];
  let mayNotCall: { phoneNumber: string; userName: string }[] = [];
  const answerLeads = (answer = leads) => {
    const asked: string[] = [];
    vi.stubGlobal("fetch", async (url: string) => {
      const { pathname, searchParams } = new URL(url, "http://localhost");
      if (pathname === "/api/v1/do-not-call") return Response.json(mayNotCall);
      const { search, match } = Object.fromEntries(searchParams);
      asked.push(`${search} ${match}`);
      return Response.json(match === "beginning" ? [] : answer);
    });
    return asked;
  };
  const write = (text: string) => {
    padField().focus();
    fireEvent.change(padField(), { target: { value: text } });
  };
  beforeEach(() => {
    queryClient.clear();
    mayNotCall = [];
  });

  test("a number on the do-not-call list says so on the pad, before Call is pressed", async () => {
    mayNotCall = [{ phoneNumber: "+12025550100", userName: "Ann Field" }];
    showDialPad();
    answerLeads();
    write("+1 202 555 0100");
    await screen.findByText("Bob Stone is on your do-not-call list.");
    write("+1 202 555 0101");
    await waitFor(() => expect(screen.queryByText(/do-not-call list/)).toBeNull());
  });

  test("a number in national notation, in the organisation's country, says so too", async () => {
    mayNotCall = [{ phoneNumber: "+442079460000", userName: "Ann Field" }];
    queryClient.setQueryData(meQuery.queryKey, { activeOrganisation: { id: "o", defaultCountry: "GB" } } as never);
    showDialPad();
    answerLeads();
    write("020 7946 0000");
    expect((await screen.findAllByText("On your do-not-call list.")).length).toBe(1);
  });

  test("letters find leads; the arrows choose, Enter puts the number on the pad, and a second Enter calls it", async () => {
    const { phone } = showDialPad();
    const asked = answerLeads();
    write("sto");
    const options = await screen.findAllByRole("option");
    expect(options.map((option) => option.textContent)).toEqual([
      "Bob Stone+1 202 555 0100Working",
      "Ada Stone+44 20 7946 0018Working",
    ]);
    expect(asked).toEqual(["sto beginning", "sto anywhere"]);
    await waitFor(() => expect(options[0]?.getAttribute("aria-selected")).toBe("true"));
    fireEvent.keyDown(padField(), { key: "ArrowDown" });
    expect(padField().getAttribute("aria-activedescendant")).toBe(options[1]?.id);
    fireEvent.keyDown(padField(), { key: "Enter" });
    expect(padField().value).toBe("+44 20 7946 0018");
    expect(phone.getState().phase).toBe("idle");
    await screen.findByText("Ada Stone");
  });
  test("if several leads share a number, the chosen one is called; without a choice, the pad says how many have it", async () => {
    const { phone } = showDialPad();
    answerLeads([lead("Bob", "+12025550100"), lead("Ada", "+12025550100")]);
    write("ada");
    await waitFor(() => expect(screen.getAllByRole("option")[0]?.getAttribute("aria-selected")).toBe("true"));
    fireEvent.keyDown(padField(), { key: "Enter" });
    expect([padField().value, phone.getState().padLeadId]).toEqual(["+1 202 555 0100", "id-Ada"]);
    await screen.findByText("Ada Stone");
    press("Backspace");
    press("0");
    expect(phone.getState().padLeadId).toBeUndefined();
    await screen.findByText("2 leads have this number");
  });
  test("a lead that only matches by email is shown by email, and Enter doesn't take it without a choice", async () => {
    const { phone } = showDialPad();
    const host = { ...lead("Ann", "+12025550177"), lastName: "Byron", email: "ann@stone.example" };
    answerLeads([host]);
    write("stone");
    const option = await screen.findByRole("option");
    expect(option.textContent).toBe("Ann Byron+1 202 555 0177 · ann@stone.exampleWorking");
    fireEvent.keyDown(padField(), { key: "Enter" });
    expect([padField().value, phone.getState().phase]).toEqual(["stone", "idle"]);
    fireEvent.keyDown(padField(), { key: "ArrowDown" });
    fireEvent.keyDown(padField(), { key: "Enter" });
    expect(padField().value).toBe("+1 202 555 0177");
  });
  test("the list closes when the pad's keys are pressed, so that they don't move", async () => {
    showDialPad();
    answerLeads();
    write("2025");
    await screen.findAllByRole("option");
    press("5");
    expect([padField().value, screen.queryByRole("listbox")]).toEqual(["(202) 55", null]);
    await screen.findByRole("button", { name: "Bob Stone" });
  });
  test("Escape closes the list before it clears the pad, and Enter never dials letters", async () => {
    const { phone } = showDialPad();
    answerLeads();
    write("bob");
    await screen.findAllByRole("option");
    fireEvent.keyDown(padField(), { key: "Escape" });
    expect([screen.queryByRole("listbox"), padField().value]).toEqual([null, "bob"]);
    fireEvent.keyDown(padField(), { key: "Enter" });
    expect([padField().value, phone.getState().phase]).toEqual(["bob", "idle"]);
    fireEvent.keyDown(padField(), { key: "Escape" });
    expect(padField().value).toBe("");
  });
  test("digits find leads too, but Enter dials what is typed unless one is chosen", async () => {
    showDialPad();
    const asked = answerLeads();
    write("2025");
    await screen.findAllByRole("option");
    expect(asked).toEqual(["2025 anywhere"]);
    expect(padField().getAttribute("aria-activedescendant")).toBeNull();
    padField().blur();
    fireEvent.blur(padField());
    expect(screen.queryByRole("listbox")).toBeNull();
    fireEvent.click(screen.getByRole("button", { name: "Bob Stone" }));
    expect(padField().value).toBe("+1 202 555 0100");
  });
});
