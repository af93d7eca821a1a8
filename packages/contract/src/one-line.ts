import type { z } from "zod";

/** No line breaks, other control characters, or characters that reverse the direction of text. */
const printable = /^[^\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]*$/u;

/** For names and labels, which end up in mails, file names and tables. */
export const oneLine = (text: z.ZodString): z.ZodString =>
  text.regex(printable, "Remove line breaks and control characters.");
