/** For a field that handles Escape itself, in any dialog or sheet. */
export const takesEscape = "data-takes-escape";

/** For anything that Escape closes: its handler runs before the field's, and would close it with the typed text. */
export function leaveEscapeToField(event: KeyboardEvent): void {
  if (event.target instanceof Element && event.target.hasAttribute(takesEscape)) event.preventDefault();
}
