// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { Button } from "./button.tsx";

afterEach(cleanup);

/** As browsers count them: the second click of a double one is a click too. */
const doubleClick = (element: HTMLElement): void => {
  fireEvent.click(element, { detail: 1 });
  fireEvent.click(element, { detail: 2 });
};

test("a double click does a deed once, before anything could say that it is under way", () => {
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
