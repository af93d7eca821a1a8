// @vitest-environment happy-dom
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { useTakeLostFocus } from "./use-take-lost-focus.ts";

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

function Place() {
  return (
    <div ref={useTakeLostFocus()} tabIndex={-1}>
      here
    </div>
  );
}

test("new content takes the focus if nothing has it, and leaves it where it is otherwise", () => {
  vi.useFakeTimers();
  const { rerender } = render(<input key="input" aria-label="note" />);
  screen.getByLabelText("note").focus();
  const both = (here: boolean) => [<input key="input" aria-label="note" />, here ? <Place key="place" /> : null];
  rerender(both(true));
  vi.advanceTimersByTime(1_000);
  expect(document.activeElement).toBe(screen.getByLabelText("note"));
  rerender(both(false));
  screen.getByLabelText("note").blur();
  rerender(both(true));
  vi.advanceTimersByTime(1_000);
  expect(document.activeElement?.textContent).toBe("here");
});
