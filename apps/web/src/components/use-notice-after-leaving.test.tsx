// @vitest-environment happy-dom
import { Link, Outlet } from "@tanstack/react-router";
import { act, cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { showScreens } from "../routes/testing/show-screens.tsx";
import { Toaster } from "../ui/toaster.tsx";
import { useDoNotCall } from "./use-do-not-call.ts";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function List() {
  const { adding, refusal } = useDoNotCall();
  return (
    <>
      <button type="button" onClick={() => adding.mutate("+12025550100")}>
        Do not call
      </button>
      {refusal ? <p role="alert">{refusal}</p> : null}
      <Link to="/calls">Elsewhere</Link>
    </>
  );
}
const Layout = () => (
  <>
    <Outlet />
    <Toaster atTop={false} />
  </>
);
async function press(role: "button" | "link", name: string): Promise<void> {
  const pressed = await screen.findByRole(role, { name });
  await act(async () => fireEvent.click(pressed));
}

test("Undo in a toast works on another screen too, and its error is shown in a toast there", async () => {
  const done: string[] = [];
  let reachable = true;
  vi.stubGlobal("fetch", async (url: URL | string, { method = "GET" }: RequestInit = {}) => {
    if (!reachable) throw new TypeError("Failed to fetch");
    done.push(`${method} ${new URL(url, location.href).pathname}`);
    return method === "POST"
      ? Response.json({ phoneNumber: "+12025550100" }, { status: 201 })
      : new Response(null, { status: 204 });
  });
  const screens = { "/leads": List, "/calls": () => <h1>Calls</h1> };
  await showScreens({ at: "/leads", screens, layout: Layout });
  await press("button", "Do not call");
  await press("link", "Elsewhere");
  await press("button", "Undo");
  await screen.findByText(/removed from the do-not-call list/);
  expect(done).toEqual(["POST /api/v1/do-not-call", "DELETE /api/v1/do-not-call/%2B12025550100"]);

  await waitFor(() => expect(screen.getAllByRole("button", { name: "Undo" })).toHaveLength(1));
  reachable = false;
  await press("button", "Undo");
  await screen.findByText("Nothing was changed.");
  await screen.findByText(/Can’t reach Leadline/);
});
