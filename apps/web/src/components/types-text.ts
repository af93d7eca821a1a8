const takers =
  "input:not([readonly]), textarea, select, [contenteditable=true], [contenteditable=''], [role=dialog], [role=alertdialog], [role=menu], [role=listbox], [role=combobox]";

/** Whether a letter pressed there is for it: a field, a menu that is searched by typing, or a dialog, which has its own keys. */
export const typesText = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest(takers) !== null;
