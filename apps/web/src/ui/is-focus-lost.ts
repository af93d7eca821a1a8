/** What had the focus has gone, and nothing has it now. */
export const isFocusLost = (): boolean => document.activeElement === null || document.activeElement === document.body;
