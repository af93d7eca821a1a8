// @vitest-environment happy-dom
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { OpeningHoursField } from "./opening-hours-field.tsx";

afterEach(cleanup);

const show = (value: Parameters<typeof OpeningHoursField>[0]["value"]) =>
  render(
    <OpeningHoursField
      label="Opening hours"
      help={["Always open.", "Within these hours."]}
      value={value}
      onChange={() => {}}
      disabled={false}
      message={undefined}
    />,
  );

test("no chosen day means always open, and no day is marked closed", () => {
  show([]);
  expect(screen.queryAllByText("Closed")).toHaveLength(0);
  screen.getByText("Always open.");
});

test("with a day chosen the others are closed, and the text says what happens to calls then", () => {
  show([{ day: "monday", opensAt: "09:00", closesAt: "17:00" }]);
  expect(screen.getAllByText("Closed")).toHaveLength(6);
  screen.getByText("Within these hours.");
});
