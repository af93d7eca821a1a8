const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** 18 characters: the object's prefix, the record, and three that tell upper from lower case in the 15 before. */
export function recordId(prefix: string, number: number): string {
  let digits = "";
  for (let rest = number; rest > 0; rest = Math.floor(rest / 62)) digits = base62.charAt(rest % 62) + digits;
  return withSuffix(`${prefix}5g0${digits.padStart(9, "0")}`);
}

/** The contact that a lead became when it was converted. */
export const contactOfLead = (leadId: string): string => withSuffix(`003${leadId.slice(3, 15)}`);

function withSuffix(id: string): string {
  const suffix = [0, 5, 10].map((start) => {
    const upper = Array.from(id.slice(start, start + 5), (letter, i) => (/[A-Z]/.test(letter) ? 1 << i : 0));
    return "ABCDEFGHIJKLMNOPQRSTUVWXYZ012345".charAt(upper.reduce((sum, bit) => sum + bit, 0));
  });
  return id + suffix.join("");
}
