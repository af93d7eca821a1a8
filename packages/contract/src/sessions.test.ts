import { expect, test } from "vitest";
import { LoginInput, NewPassword } from "./sessions.ts";

const messageOf = (password: string) => NewPassword.safeParse(password).error?.issues.map(({ message }) => message);

test("a password has 8 to 256 characters, whatever their encoding, and every violation gets one message", () => {
  expect(messageOf("🔑".repeat(256))).toBeUndefined();
  expect(messageOf("a".repeat(257))).toEqual(["A strong password is required"]);
  expect(messageOf("🔑".repeat(7))).toEqual(["A strong password is required"]);
});

test("a login accepts any password that may exist, and gives one error for all that can't", () => {
  const refused = (password: string) =>
    LoginInput.safeParse({ email: "robin@example.com", password }).error?.issues.map(({ message }) => message);
  expect([refused("x"), refused("🔑".repeat(256))]).toEqual([undefined, undefined]);
  for (const password of ["", "a".repeat(257)]) expect(refused(password)).toEqual(["A strong password is required"]);
});
