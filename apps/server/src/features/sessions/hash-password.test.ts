import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { hashPassword, verifyPassword } from "./hash-password.ts";

const { href } = new URL("hash-password.ts", import.meta.url);
/** Hashes like a process that no test has set up. */
const hashOutsideTests = (password: string): string =>
  execFileSync(
    process.execPath,
    [
      "--eval",
      `import(${JSON.stringify(href)}).then(async ({ hashPassword }) =>
    process.stdout.write(await hashPassword(${JSON.stringify(password)})))`,
    ],
    { encoding: "utf8" },
  );

test("has OWASP's cost, and can be verified by a process that hashes at another cost", async () => {
  const hash = hashOutsideTests("correct horse");
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
  expect(await hashPassword("correct horse")).not.toContain("m=19456");
  expect(await verifyPassword("correct horse", hash)).toBe(true);
  expect(await verifyPassword("battery staple", hash)).toBe(false);
});

test("differs each time, and an unknown person's never matches", async () => {
  const hashes = await Promise.all([hashPassword("the same"), hashPassword("the same")]);
  expect(new Set(hashes).size).toBe(2);
  for (const hash of hashes) expect(await verifyPassword("the same", hash)).toBe(true);
  expect(await verifyPassword("the same", null)).toBe(false);
});
