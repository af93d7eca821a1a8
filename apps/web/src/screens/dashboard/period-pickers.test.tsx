// @vitest-environment happy-dom
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { periods } from "./period.ts";
import { PeriodPickers } from "./period-pickers.tsx";

afterEach(cleanup);

const show = (otherTimeZone: string | null) =>
  render(
    <PeriodPickers
      period={periods[0]}
      member={null}
      members={[]}
      note={null}
      otherTimeZone={otherTimeZone}
      onPeriod={() => {}}
      onMember={() => {}}
    />,
  );

test("names the figures' time zone if it isn't the reader's", () => {
  show("America/New_York");
  screen.getByText("Days and hours are in your organisation’s time zone, America/New York");
  cleanup();
  show(null);
  expect(screen.queryByText(/clock/)).toBeNull();
});
