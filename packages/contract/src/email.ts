import { z } from "zod";

const message = "A valid email is required";
const shape =
  /^(?!\.)(?!.*\.\.)[\p{L}\p{M}\p{N}_'+.-]*[\p{L}\p{M}\p{N}_+-]@(?:[\p{L}\p{N}][\p{L}\p{M}\p{N}-]*\.)+(?:[\p{L}\p{M}]{2,}|xn--[a-z\d-]+)$/u;

/** An international domain in ASCII (punycode, RFC 5890). Null if it isn't a domain. */
function withAsciiDomain(email: string): string | null {
  const at = email.lastIndexOf("@");
  try {
    return `${email.slice(0, at)}@${new URL(`http://${email.slice(at + 1)}`).hostname}`;
  } catch {
    return null;
  }
}

/** The email of a person who signs in, normalised so that all spellings of an address are equal. */
export const Email = z
  .string()
  .trim()
  .toLowerCase()
  .normalize()
  .max(254, message)
  .regex(shape, message)
  .meta({ format: "idn-email" })
  .transform((email, context) => {
    const plain = withAsciiDomain(email);
    if (plain === null) context.addIssue({ code: "custom", message });
    return plain ?? z.NEVER;
  });
