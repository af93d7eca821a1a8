/** Shown with messages that don't state the rule. */
export const passwordRule = "8 to 256 characters. A sentence works well. Common passwords aren’t accepted.";
export const personNameRule = "2 to 50 characters.";
