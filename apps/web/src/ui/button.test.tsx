// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { Button } from "./button.tsx";

afterEach(cleanup);

/** As browsers count them: the second click of a double click is a click too. */
const doubleClick = (element: HTMLElement): void => {
  fireEvent.click(element, { detail: 1 });
  fireEvent.click(element, { detail: 2 });
};

test("a double click runs the action once, before anything could show that it is running", () => {
  const [buy, press] = [vi.fn<() => void>(), vi.fn<() => void>()];
  const submit = vi.fn<(event: { preventDefault: () => void }) => void>((event) => event.preventDefault());
  render(
    <form onSubmit={submit}>
      <Button busy={false} onClick={buy}>
        Buy number
      </Button>
      <Button busy={false} type="submit">
        Save
      </Button>
      <Button onClick={press}>5</Button>
    </form>,
  );
  for (const name of ["Buy number", "Save", "5"]) doubleClick(screen.getByRole("button", { name }));
  expect(buy).toHaveBeenCalledTimes(1);
  expect(submit).toHaveBeenCalledTimes(1);
  expect(press).toHaveBeenCalledTimes(2);
});

test("a button that was disabled during its action gets the focus back, unless something else has it", () => {
  const show = (busy: boolean) => (
    <>
      <Button busy={busy}>Save</Button>
      <input />
    </>
  );
  const { rerender } = render(show(false));
  const button = screen.getByRole("button", { name: "Save" });
  const press = () => {
    button.focus();
    fireEvent.click(button, { detail: 1 });
    rerender(show(true));
    // As browsers do with disabled buttons.
    screen.getByRole("textbox").focus();
    screen.getByRole("textbox").blur();
    expect(document.activeElement).toBe(document.body);
  };
  press();
  rerender(show(false));
  expect(document.activeElement).toBe(button);
  press();
  screen.getByRole("textbox").focus();
  rerender(show(false));
  expect(document.activeElement).toBe(screen.getByRole("textbox"));
});
