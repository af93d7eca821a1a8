// @vitest-environment happy-dom
import type { UnusedNumber } from "@leadline/contract/number-orders";
import { cleanup, fireEvent, screen, within } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { unusedNumbersQuery } from "../data/phone-numbers-query.ts";
import { showScreens } from "../routes/testing/show-screens.tsx";
import { UnusedNumbers } from "./unused-numbers.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const free = { number: "+12125550100", use: null };
const alsoFree = { number: "+12125550101", use: null };
const used = { number: "+12125550102", use: "Calls to it go to a program at ivr.example.com." };

/** `refused`: by the server, with this detail. */
async function show(numbers: readonly UnusedNumber[], refused: Record<string, string> = {}) {
  const adopted: object[] = [];
  let left = numbers;
  vi.stubGlobal("fetch", async (_url: URL | string, init?: RequestInit) => {
    if (init?.method !== "POST") return Response.json(left);
    const body = JSON.parse(String(init.body));
    const detail = refused[body.number];
    if (detail !== undefined)
      return Response.json({ type: "/api/docs#carrier-refused", title: "", status: 409, detail }, { status: 409 });
    adopted.push(body);
    left = left.filter(({ number }) => number !== body.number);
    return Response.json({}, { status: 201 });
  });
  await showScreens({
    at: "/settings/phone-numbers",
    screens: { "/settings/phone-numbers": () => <UnusedNumbers accountId="account" name="Acme" /> },
    known: [[unusedNumbersQuery("account").queryKey, numbers]],
  });
  return adopted;
}
const list = () => screen.queryByRole("region", { name: "Numbers at Acme" });

test("the account's free numbers are all used here with one click", async () => {
  const adopted = await show([free, alsoFree]);
  screen.getByText("2 numbers at Acme aren’t used here.");
  fireEvent.click(screen.getByRole("button", { name: "Use 2 numbers here" }));
  await vi.waitFor(() =>
    expect(adopted).toEqual([
      { number: free.number, moves: false },
      { number: alsoFree.number, moves: false },
    ]),
  );
  await vi.waitFor(() => expect(list()).toBeNull());
});

test("a number that is used elsewhere says how, and is moved only if it is chosen and confirmed", async () => {
  const adopted = await show([free, used]);
  screen.getByText(used.use);
  screen.getByRole("button", { name: "Use 1 number here" });
  fireEvent.click(screen.getByRole("checkbox", { name: "+1 212 555 0100" }));
  fireEvent.click(screen.getByRole("checkbox", { name: "+1 212 555 0102" }));
  fireEvent.click(screen.getByRole("button", { name: "Use 1 number here" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Use 1 number here?" }));
  dialog.getByText(/^Calls to \+1 212 555 0102 ring in Leadline from now on/);
  expect(adopted).toEqual([]);
  fireEvent.click(dialog.getByRole("button", { name: "Use here" }));
  await vi.waitFor(() => expect(adopted).toEqual([{ number: used.number, moves: true }]));
});

test("a number that the carrier refuses is named with the reason, and the others are used", async () => {
  const adopted = await show([free, alsoFree], { [free.number]: "The account doesn’t have this number any more." });
  fireEvent.click(screen.getByRole("button", { name: "Use 2 numbers here" }));
  await screen.findByText("+1 212 555 0100: The account doesn’t have this number any more.");
  expect(adopted).toEqual([{ number: alsoFree.number, moves: false }]);
});

test("nothing is shown for an account without further numbers", async () => {
  await show([]);
  expect(list()).toBeNull();
});
