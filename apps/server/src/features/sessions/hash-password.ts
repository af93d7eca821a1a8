import { argon2, randomBytes, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { currentAudit } from "../../db/audit-context.ts";
import { createFairTurns } from "../../db/fair-turns.ts";
import { siteOf } from "../../http/address-of.ts";
import { Problem } from "../../http/problem.ts";

const argon2id = promisify(argon2).bind(null, "argon2id");
/**
 * By the site that asks. Half of the pool's threads, because files are read by the others; what waits in a full queue
 * takes about five seconds.
 */
const turns = createFairTurns({
  atOnce: 2,
  briskEach: 2,
  longEach: 0,
  longMs: 0,
  patienceMs: 10_000,
  mostWaiting: 500,
});
/** OWASP's minimum for argon2id; about 20 ms on a pool thread. */
export const owaspLeast = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 };
let cost = owaspLeast;
let nobodysHash = hashOfNobody();

/** In PHC string format, which includes the cost. @throws unavailable: too many wait, most of them from this site */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16);
  const tag = await inTurn({ message: Buffer.from(password), nonce, ...cost });
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${unpadded(nonce)}$${unpadded(tag)}`;
}

/** Null, for an unknown person, takes as long as a wrong password and never matches. @throws unavailable, as above */
export async function verifyPassword(password: string, hash: string | null): Promise<boolean> {
  const parts = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/.exec(hash ?? (await nobodysHash));
  if (parts === null) throw new Error("a stored password hash cannot be read");
  const [, memory, passes, parallelism, nonce = "", tag = ""] = parts;
  const expected = Buffer.from(tag, "base64");
  const actual = await inTurn({
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

async function inTurn(input: Parameters<typeof argon2id>[0]): Promise<Buffer> {
  const end = await turns.take(siteOf(currentAudit()?.address ?? "")).catch((cause: unknown) => {
    const sentence = "Leadline is checking too many passwords right now. Try again in a moment.";
    throw new Problem("unavailable", sentence, { retryAfterSeconds: 5, cause });
  });
  return argon2id(input).finally(end);
}

function hashOfNobody(): Promise<string> {
  return hashPassword(randomBytes(16).toString("hex"));
}

function unpadded(bytes: Buffer): string {
  return bytes.toString("base64").replaceAll("=", "");
}
