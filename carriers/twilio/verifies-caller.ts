/** STIR/SHAKEN, as the header X-Twilio-VerStat has it: B and C attest to the call's origin, not to the number. */
export function verifiesCaller(headers: Record<string, string>): boolean | null {
  const verstat = headers["x-twilio-verstat"]?.trim();
  return verstat ? /^TN-Validation-Passed-A$/i.test(verstat) : null;
}
