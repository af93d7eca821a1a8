/**
 * An extension after a number, as people and RFC 3966 write it: "+1 202 555 0100 ext 5", "x5", "#5" after a space,
 * ";ext=5"; or as phones do, after a pause: ",,5", ";5", "p5", "w5". It isn't dialled: its digits are sent once the call
 * is answered.
 */
const behind = /^(.*\d\)?)(?:;ext=|[\s,;]*(?:extension|extn|ext|[xpw])[\s.:#]*|\s+#|\s*[,;]+\s*)(\d{1,8})[\s).;]*$/is;

export function splitExtension(text: string): { number: string; extension: string } {
  const [, number = text, extension = ""] = behind.exec(text) ?? [];
  // Star and hash codes keep their digits, and so does anything without a number before it.
  return number.replace(/\D/g, "").length >= 5 ? { number: number.trim(), extension } : { number: text, extension: "" };
}
