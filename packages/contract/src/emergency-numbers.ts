/** Emergency numbers of most countries. A phone in a browser can't report its caller's location. */
const emergencyNumbers = new Set(["000", "110", "111", "112", "119", "911", "999"]);

export const emergencySentence = "Leadline cannot call emergency numbers. Use a telephone.";

/** As typed. After a plus sign only North America's count: +91 1 begins a number in India. */
export const isEmergencyNumber = (typed: string): boolean =>
  typed.includes("+")
    ? /^\s*\+1[\s().-]*(?:911|112)\s*$/.test(typed)
    : emergencyNumbers.has(typed.replaceAll(/[^\d*#]/g, ""));
