import { expect, test } from "vitest";
import { NewPassword } from "./sessions.ts";

const messageOf = (password: string) => NewPassword.safeParse(password).error?.issues.map(({ message }) => message);

test("a password that is too long is told so, and not that it is weak; characters count, not what they are coded in", () => {
  expect(messageOf("🔑".repeat(256))).toBeUndefined();
  expect(messageOf("a".repeat(257))).toEqual(["A password may have at most 256 characters."]);
  expect(messageOf("🔑".repeat(7))).toEqual(["A strong password is required"]);
});
