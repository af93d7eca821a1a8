// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { Menu, MenuItem } from "./menu.tsx";

afterEach(cleanup);

const page = (items: readonly string[]) => (
  <>
    <Menu trigger={<button type="button">Open</button>}>
      {items.map((item) => (
        <MenuItem key={item}>{item}</MenuItem>
      ))}
    </Menu>
    <main id="content" />
  </>
);

test("a menu opens inside the page's landmark, and doesn't move when its items load late", () => {
  const { rerender } = render(page(["New organisation"]));
  fireEvent.keyDown(screen.getByRole("button", { name: "Open" }), { key: "Enter" });
  const menu = screen.getByRole("menu");
  expect(menu.closest("#content")).not.toBeNull();
  rerender(page(["Harbour", "New organisation"]));
  expect(screen.getByRole("menu")).toBe(menu);
  expect(screen.getAllByRole("menuitem")).toHaveLength(2);
});
