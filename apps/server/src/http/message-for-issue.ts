import type { z } from "zod";

const kinds: Record<string, string> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
};
const formats: Record<string, string> = {
  uuid: "an identifier (a UUID)",
  date: "a day such as 2026-03-29",
  datetime: "a time such as 2026-03-29T10:00:00Z",
  email: "an email address",
  url: "a web address",
};

/** What is wrong with a value whose schema has no message of its own: zod's default messages are for programmers. */
export function messageForIssue(issue: z.core.$ZodRawIssue): string {
  const name = issue.path?.findLast((part) => typeof part === "string") ?? "What you sent";
  return `${name} ${faultOf(issue)}.`;
}

function faultOf(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined ? "is missing" : `must be ${kinds[issue.expected] ?? "of another kind"}`;
    case "too_small":
      return `must ${bound(issue.origin, `${issue.minimum}`, "more")}`;
    case "too_big":
      return `must ${bound(issue.origin, `${issue.maximum}`, "less")}`;
    case "invalid_format":
      return formats[issue.format] ? `must be ${formats[issue.format]}` : "is not in the right format";
    case "invalid_value":
      return issue.values.length === 1
        ? `must be ${String(issue.values[0])}`
        : `must be one of ${issue.values.map(String).join(", ")}`;
    case "not_multiple_of":
      return `must be a multiple of ${issue.divisor}`;
    default:
      return "has a value that isn’t allowed";
  }
}

function bound(origin: string, limit: string, beyond: "more" | "less"): string {
  if (origin === "string") return `have ${limit} characters or ${beyond === "less" ? "fewer" : beyond}`;
  if (origin === "array") return `have ${limit} entries or ${beyond === "less" ? "fewer" : beyond}`;
  return `be ${limit} or ${beyond}`;
}
