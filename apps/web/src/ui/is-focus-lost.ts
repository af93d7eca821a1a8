/** The focused element has disappeared, and nothing has the focus now. */
export const isFocusLost = (): boolean => document.activeElement === null || document.activeElement === document.body;
