/** For a field that has a use of its own for Escape, whatever dialog or sheet it stands in. */
export const takesEscape = "data-takes-escape";

/** Of what Escape closes: it is told before the field is, and would close with what is being typed there. */
export function leaveEscapeToField(event: KeyboardEvent): void {
  if (event.target instanceof Element && event.target.hasAttribute(takesEscape)) event.preventDefault();
}
