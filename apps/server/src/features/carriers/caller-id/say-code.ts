import { readFileSync } from "node:fs";
import { join } from "node:path";
import { silence } from "@leadline/adapter-kit/rtp/g711";

/** Raw µ-law, as make-spoken-code.ts made it. */
const clip = (name: string): Buffer => readFileSync(join(import.meta.dirname, "spoken", `${name}.ulaw`));
/** Of 20 ms each. */
const pause = (packets: number): Buffer => Buffer.concat(Array.from({ length: packets }, () => silence.PCMU));

/** What the callee hears: the digits one by one, three times over, as µ-law. */
export function sayCode(code: string): Buffer {
  const digits = Buffer.concat([...code].flatMap((digit) => [clip(digit), pause(12)]));
  const again = [pause(50), clip("again"), pause(12), digits];
  return Buffer.concat([pause(50), clip("introduction"), pause(12), digits, ...again, ...again, pause(25)]);
}
