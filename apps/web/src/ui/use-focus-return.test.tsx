// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { useState } from "react";
import { afterEach, expect, test } from "vitest";
import { Dialog } from "./dialog.tsx";
import { MenuItem } from "./menu.tsx";
import { RowMenu } from "./row-menu.tsx";
import { Sheet } from "./sheet.tsx";

afterEach(cleanup);

const menuButton = () => screen.getByRole("button", { name: "Actions for Bob Stone" });
/** Chooses an item from a row's menu by keyboard, and closes what it opened with Escape. */
async function chooseAndEscape(): Promise<void> {
  menuButton().focus();
  await act(async () => fireEvent.keyDown(menuButton(), { key: "Enter" }));
  const item = await screen.findByRole("menuitem", { name: "Edit" });
  act(() => item.focus());
  await act(async () => fireEvent.keyDown(item, { key: "Enter" }));
  const dialog = await screen.findByRole("dialog");
  // The menu disappears a moment later, and handles Escape until then.
  await waitFor(async () => {
    await act(async () => fireEvent.keyDown(dialog, { key: "Escape" }));
    expect(dialog.isConnected).toBe(false);
  });
}

test.each([
  ["dialog", Dialog],
  ["sheet", Sheet],
])("a %s chosen from a row's menu returns the focus to the menu's button", async (_, Cover) => {
  function Row() {
    const [open, setOpen] = useState(false);
    return (
      <>
        <RowMenu of="Bob Stone">
          <MenuItem onSelect={() => setOpen(true)}>Edit</MenuItem>
        </RowMenu>
        <Cover open={open} onOpenChange={setOpen} title="Edit Bob Stone">
          <input aria-label="Name" />
        </Cover>
      </>
    );
  }
  render(<Row />);
  await chooseAndEscape();
  await waitFor(() => expect(document.activeElement).toBe(menuButton()));
});

test("so does one that opens after the action, during which the button can't be focused", async () => {
  function Row() {
    const [state, setState] = useState<"at rest" | "busy" | "told">("at rest");
    const action = () => {
      setState("busy");
      setTimeout(() => setState("told"), 30);
    };
    return (
      <>
        <RowMenu of="Bob Stone" busy={state === "busy"}>
          <MenuItem onSelect={action}>Edit</MenuItem>
        </RowMenu>
        <Dialog open={state === "told"} onOpenChange={() => setState("at rest")} title="It was not sent" />
      </>
    );
  }
  render(<Row />);
  await chooseAndEscape();
  await waitFor(() => expect(document.activeElement).toBe(menuButton()));
});

test("if the action removed the row, the focus moves to the page", async () => {
  function Page() {
    const [state, setState] = useState<"row" | "asking" | "gone">("row");
    return (
      <main id="content" tabIndex={-1}>
        {state === "gone" ? null : (
          <RowMenu of="Bob Stone">
            <MenuItem onSelect={() => setState("asking")}>Edit</MenuItem>
          </RowMenu>
        )}
        <Dialog open={state === "asking"} onOpenChange={() => setState("gone")} title="Delete Bob Stone?" />
      </main>
    );
  }
  render(<Page />);
  await chooseAndEscape();
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("main")));
});
