import { expect, test } from "vitest";
import { chooseCallerId } from "./choose-caller-id.ts";

const washington = "+12025550100";
const denver = "+17205550100";
const london = "+442079460123";
const gone = "+12125550100";
const inWashington = "+12025550199";
const inLondon = "+442079460999";
const inBerlin = "+4930123456";

const candidates = [
  { number: washington, label: null, isDefault: false },
  { number: denver, label: null, isDefault: true },
  { number: london, label: "London", isDefault: false },
];
const nothing = { to: inBerlin, candidates, chosen: null, localPresence: false, memberDefault: null };

test.each([
  ["the organisation's default, if nothing else is said", {}, denver, "organisation-default"],
  ["the member's default before it", { memberDefault: london }, london, "member-default"],
  ["a local number before the defaults", { localPresence: true, to: inWashington }, washington, "local-presence"],
  [
    "a local number before the member's default",
    { localPresence: true, to: inWashington, memberDefault: london },
    washington,
    "local-presence",
  ],
  [
    "the number chosen for the call before everything",
    { chosen: london, localPresence: true, to: inWashington, memberDefault: denver },
    london,
    "chosen",
  ],
  ["no local number while the organisation doesn't want that", { to: inWashington }, denver, "organisation-default"],
  [
    "the defaults, if it owns no local number",
    { localPresence: true, memberDefault: london },
    london,
    "member-default",
  ],
  ["the defaults, while the callee isn't known", { localPresence: true, to: null }, denver, "organisation-default"],
  [
    "another number, if the chosen one can't be shown",
    { chosen: gone, memberDefault: london },
    london,
    "member-default",
  ],
  ["the organisation's, if the member's can't be shown", { memberDefault: gone }, denver, "organisation-default"],
  [
    "the provider's choice, if the organisation has none",
    { candidates: candidates.map((each) => ({ ...each, isDefault: false })) },
    null,
    "provider",
  ],
  [
    "the provider's choice, without any number",
    { candidates: [], chosen: gone, memberDefault: gone },
    null,
    "provider",
  ],
] as const)("callees see %s", (_what, given, number, reason) => {
  expect(chooseCallerId({ ...nothing, ...given })).toEqual({ number, reason });
});

test("of several local numbers, callees see the member's default, then the organisation's, then the first", () => {
  const other = { number: "+12025550101", label: null, isDefault: false };
  const rule = { ...nothing, localPresence: true, to: inWashington, candidates: [...candidates, other] };
  expect(chooseCallerId(rule).number).toBe(washington);
  expect(chooseCallerId({ ...rule, memberDefault: other.number })).toEqual({
    number: other.number,
    reason: "local-presence",
  });
  const usual = rule.candidates.map((each) => ({ ...each, isDefault: each === other }));
  expect(chooseCallerId({ ...rule, candidates: usual }).number).toBe(other.number);
  expect(chooseCallerId({ ...rule, to: inLondon }).number).toBe(london);
});
