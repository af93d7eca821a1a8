import { expect, test } from "vitest";
import { GivenDay } from "./identifiers.ts";

const said = (day: string) =>
  GivenDay("Enter the day as YYYY-MM-DD.")
    .safeParse(day)
    .error?.issues.map(({ message }) => message);

test("explains which years are accepted for a day outside them, and the format for a text that isn't a day", () => {
  for (const day of ["9999-12-31", "20277-11-30", "1899-12-31", "0202-01-01"])
    expect(said(day)).toEqual(["Enter a day between the years 1900 and 2199."]);
  for (const text of ["tomorrow", "2026-02-30", "30.11.2026"])
    expect(said(text)).toEqual(["Enter the day as YYYY-MM-DD."]);
  for (const day of ["1900-01-01", "2026-11-30", "2199-12-31"]) expect(said(day)).toBeUndefined();
});
