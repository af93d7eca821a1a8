import { expect, test } from "vitest";

import { numberCalled } from "./number-called.ts";

const london = "+442079460123";
const settings = { user: "agent", numbers: [london, "+12025550100"] };
const called = (requestUser: string, toUser?: string, given = settings) => numberCalled(given, { requestUser, toUser });
const ours = { number: london, isOurs: true };

test.each(["+442079460123", "442079460123", "00442079460123", "011442079460123", "02079460123", "460123", "0123"])(
  "recognises one of the trunk's own numbers written as %s",
  (written) => expect(called(written)).toEqual(ours),
);

test("reads the number from To if the account is called", () => {
  expect(called("agent", "02079460123")).toEqual(ours);
  expect(called("", london)).toEqual(ours);
});

test("a number that isn't the trunk's own doesn't ring, unless no numbers are configured", () => {
  expect(called("+442079460999")).toEqual({ number: "+442079460999", isOurs: false });
  expect(called("agent", "+442079460999")).toEqual({ number: "+442079460999", isOurs: false });
  expect(called("123")).toEqual({ number: "123", isOurs: false });
  expect(called("+442079460999", undefined, { user: "agent", numbers: [] }).isOurs).toBe(true);
});

test("an extension that is called by its account rings, whatever was dialled first", () => {
  expect(called("agent", "agent")).toEqual({ number: "agent", isOurs: true });
  expect(called("agent", "102")).toEqual({ number: "102", isOurs: true });
});

test("an ambiguous number suffix rings, and is shown as written", () => {
  const two = { user: "agent", numbers: [london, "+441619460123"] };
  expect(called("9460123", undefined, two)).toEqual({ number: "9460123", isOurs: true });
});
