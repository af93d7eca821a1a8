import type { z } from "zod";

/** No line breaks, other control characters, or those that reverse how text reads. */
const printable = /^[^\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]*$/u;

/** For a name or a label: it ends up in mails, file names and tables. */
export const oneLine = (text: z.ZodString): z.ZodString =>
  text.regex(printable, "Remove line breaks and control characters.");
