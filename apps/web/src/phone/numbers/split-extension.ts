/**
 * An extension behind a number, as people and RFC 3966 write it: "+1 202 555 0100 ext 5", "x5", "#5" after a blank, ";ext=5".
 * It is no part of what is dialled: its digits are pressed once the call is answered.
 */
const behind = /^(.*\d\)?)(?:;ext=|[\s,;]*(?:extension|extn|ext|x)[\s.:#]*|\s+#)(\d{1,8})[\s).;]*$/is;

export function splitExtension(text: string): { number: string; extension: string } {
  const [, number = text, extension = ""] = behind.exec(text) ?? [];
  // A star or hash code keeps its digits, and so does what has no number before it.
  return number.replace(/\D/g, "").length >= 5 ? { number: number.trim(), extension } : { number: text, extension: "" };
}
