const takers =
  "input:not([readonly]), textarea, select, [contenteditable=true], [contenteditable=''], [role=dialog], [role=alertdialog], [role=menu], [role=listbox], [role=combobox]";

/** Whether a letter typed there is for it: a field, a menu with type-ahead, or a dialog, which has its own keys. */
export const typesText = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest(takers) !== null;
