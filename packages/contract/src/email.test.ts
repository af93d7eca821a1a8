import { expect, test } from "vitest";
import { Email } from "./email.ts";

test("accepts an email address with an ASCII or an international domain", () => {
  const written = ["Jürgen@Bücher.example", " jürgen@xn--bcher-kva.example", "ju\u0308rgen@bu\u0308cher.example"];
  expect(new Set(written.map((email) => Email.parse(email)))).toEqual(new Set(["jürgen@xn--bcher-kva.example"]));
  expect(Email.parse("info@例え.テスト")).toBe("info@xn--r8jz45g.xn--zckzah");
  expect(Email.parse("O'Neil+crm@mail.example.com")).toBe("o'neil+crm@mail.example.com");
});

test.each([
  "robin",
  "robin@",
  "robin@example",
  ".robin@example.com",
  "ro..bin@example.com",
  "ro bin@example.com",
  "robin@-a.example",
  "robin@a.example>",
  "robin@xn--ü.example",
  "robin@127.0.0.1",
])("%s is not an email address", (email) => {
  expect(Email.safeParse(email).error?.issues.map(({ message }) => message)).toEqual(["A valid email is required"]);
});
