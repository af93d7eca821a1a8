import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { createSealer, Unsealable } from "./seal-secrets.ts";

const [key, otherKey] = [randomBytes(32), randomBytes(32)];
const sealer = createSealer(() => key, "test");

describe("a sealed secret", () => {
  test("can be opened by its owner, and looks different every time", () => {
    const sealed = [sealer.encrypt("secret", "acme/1"), sealer.encrypt("secret", "acme/1")];
    expect(sealed[0]).not.toBe(sealed[1]);
    expect(sealed.map((text) => sealer.open(text, "acme/1"))).toEqual(["secret", "secret"]);
    expect(sealed.join()).not.toContain("secret");
  });

  test("can't be decrypted for another owner, with another key, or after a bit was changed", () => {
    const sealed = sealer.encrypt("secret", "acme/1");
    const parts = sealed.split(".");
    const changed = Buffer.from(parts[4] ?? "", "base64url");
    changed[0] = (changed[0] ?? 0) ^ 1;
    const attempts = [
      () => sealer.open(sealed, "acme/2"),
      () => createSealer(() => otherKey, "test").open(sealed, "acme/1"),
      () => sealer.open([...parts.slice(0, 4), changed.toString("base64url")].join("."), "acme/1"),
      () => sealer.open([...parts.slice(0, 3), "AAAA", parts[4]].join("."), "acme/1"),
      () => sealer.open("", "acme/1"),
    ];
    for (const attempt of attempts) expect(attempt).toThrow(Unsealable);
  });
});
