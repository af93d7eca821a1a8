import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { auditing } from "../../db/audit-context.ts";
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

test("beyond 500 waiting hashes, the network with the most is refused, and no other", async () => {
  const context = { action: "test", userId: null, organisationId: null, userAgent: "", requestId: "" };
  const hashFrom = (address: string) => auditing({ ...context, address }, () => hashPassword("the same"));
  const flood = Array.from({ length: 600 }, (_, host) => hashFrom(`2001:db8:1:${host.toString(16)}::1`));
  const finished = Promise.allSettled(flood);
  expect(await hashFrom("2001:db8:2::1")).toMatch(/^\$argon2id/);
  const refused = (await finished).filter((each) => each.status === "rejected").map(({ reason }) => reason);
  expect(refused).toHaveLength(99);
  expect(refused[0]).toMatchObject({
    code: "unavailable",
    message: "Leadline is checking too many passwords right now. Try again in a moment.",
    extras: { retryAfterSeconds: 5 },
  });
});
