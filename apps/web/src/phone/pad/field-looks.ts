/** The style of the pad's field, for the number to dial and for the digits sent in a call. */
export const fieldLook =
  "h-10 min-w-0 flex-1 bg-transparent text-[20px]/7 font-medium tabular-nums outline-none placeholder:font-normal placeholder:text-ink-soft";
export const frameLook =
  "flex items-center gap-2 rounded-md border border-field-line bg-panel pr-3 base:pl-2 focus-within:border-brand focus-within:outline-2 focus-within:outline-brand";
