// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { showScreens } from "../routes/testing/show-screens.tsx";
import { Toaster } from "../ui/toaster.tsx";
import { useDoNotCall } from "./use-do-not-call.ts";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function List() {
  const { adding } = useDoNotCall();
  return (
    <>
      <button type="button" onClick={() => adding.mutate("202 555 0100")}>
        Do not call
      </button>
      <Toaster atTop={false} />
    </>
  );
}

test("for a number that is already on the list, the rep is told so, without an Undo that would remove it", async () => {
  let alreadyListed = true;
  vi.stubGlobal("fetch", async () => Response.json({ phoneNumber: "+12025550100", alreadyListed }, { status: 201 }));
  await showScreens({ at: "/leads", screens: { "/leads": List } });
  const add = () => act(async () => fireEvent.click(screen.getByRole("button", { name: "Do not call" })));

  await add();
  await screen.findByText("+1 202 555 0100 is already on the do-not-call list.");
  expect(screen.queryByRole("button", { name: "Undo" })).toBeNull();

  alreadyListed = false;
  await add();
  await screen.findByText(/added to the do-not-call list/);
  expect(screen.getAllByRole("button", { name: "Undo" })).toHaveLength(1);
});
