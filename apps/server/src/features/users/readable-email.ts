import { domainToUnicode } from "node:url";

/** As a person writes it: international domains are stored in ASCII (punycode, RFC 5890). */
export function readableEmail(email: string): string {
  const at = email.lastIndexOf("@");
  return `${email.slice(0, at)}@${domainToUnicode(email.slice(at + 1)) || email.slice(at + 1)}`;
}
