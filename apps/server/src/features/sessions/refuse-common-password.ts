import { readFileSync } from "node:fs";
import { invalidInput } from "../../http/read-input.ts";

const commonest = new Set(
  readFileSync(new URL("./assets/common-passwords.txt", import.meta.url), "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("# ")),
);

/** The 3,000 most common ones, in any case, are what attackers try first. */
export function refuseCommonPassword(password: string): void {
  if (!commonest.has(password.toLowerCase())) return;
  throw invalidInput([{ path: ["password"], message: "A strong password is required" }]);
}
