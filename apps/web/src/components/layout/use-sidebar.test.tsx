// @vitest-environment happy-dom
import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { useSidebar } from "./use-sidebar.ts";

function Probe() {
  const { collapsed, sheetOpen } = useSidebar();
  return (
    <p>
      {collapsed ? "collapsed" : "expanded"}, {sheetOpen ? "sheet" : "no sheet"}
    </p>
  );
}

const press = (init: KeyboardEventInit) =>
  act(() => window.dispatchEvent(new KeyboardEvent("keydown", { key: "b", cancelable: true, ...init })));

function onScreen(width: number) {
  window.happyDOM.setViewport({ width, height: 800 });
  render(<Probe />);
}

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  document.cookie = "sidebar=; Max-Age=-1; Path=/";
});

test("Ctrl+B and Cmd+B collapse and expand, and the cookie lasts seven days", () => {
  const written = vi.spyOn(document, "cookie", "set");
  onScreen(1280);
  press({ ctrlKey: true });
  expect(screen.getByText("collapsed, no sheet")).toBeTruthy();
  expect(written).toHaveBeenLastCalledWith("sidebar=collapsed; Path=/; Max-Age=604800; SameSite=Lax");
  press({ metaKey: true });
  expect(screen.getByText("expanded, no sheet")).toBeTruthy();
});

test("a plain B, or Shift+B, is typing", () => {
  onScreen(1280);
  press({});
  press({ ctrlKey: true, shiftKey: true });
  expect(screen.getByText("expanded, no sheet")).toBeTruthy();
});

test("a page opens as the cookie says", () => {
  document.cookie = "sidebar=collapsed; Path=/";
  onScreen(1280);
  expect(screen.getByText("collapsed, no sheet")).toBeTruthy();
});

test("below 768 px the shortcut opens the sheet and leaves the cookie alone", () => {
  onScreen(767);
  press({ ctrlKey: true });
  expect(screen.getByText("expanded, sheet")).toBeTruthy();
  expect(document.cookie).not.toContain("sidebar");
});
