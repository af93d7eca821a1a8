import { argon2, randomBytes, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";

const derive = promisify(argon2);
/** OWASP's minimum for argon2id; about 20 ms on a pool thread. */
export const owaspLeast = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 };
let cost = owaspLeast;
let nobodysHash = hashOfNobody();

/** In PHC string format, which includes the cost. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16);
  const tag = await derive("argon2id", { message: Buffer.from(password), nonce, ...cost });
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${unpadded(nonce)}$${unpadded(tag)}`;
}

/** Null, for an unknown person, takes as long as a wrong password and never matches. */
export async function verifyPassword(password: string, hash: string | null): Promise<boolean> {
  const parts = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/.exec(hash ?? (await nobodysHash));
  if (parts === null) throw new Error("a stored password hash cannot be read");
  const [, memory, passes, parallelism, nonce = "", tag = ""] = parts;
  const expected = Buffer.from(tag, "base64");
  const actual = await derive("argon2id", {
    message: Buffer.from(password),
    nonce: Buffer.from(nonce, "base64"),
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    tagLength: expected.length,
  });
  return timingSafeEqual(actual, expected) && hash !== null;
}

/**
 * For tests only: they register thousands of people, and hashing took a third of their CPU time. A hash contains its
 * cost, so passwords stored at another cost still verify.
 */
export function hashAt(ofTests: typeof owaspLeast): void {
  cost = ofTests;
  nobodysHash = hashOfNobody();
}

function hashOfNobody(): Promise<string> {
  return hashPassword(randomBytes(16).toString("hex"));
}

function unpadded(bytes: Buffer): string {
  return bytes.toString("base64").replaceAll("=", "");
}
