/** On a small screen, the bar's buttons share its width, with their labels below their icons. */
export const barButtonLook = "max-md:h-12 max-md:flex-1 max-md:flex-col max-md:gap-0.5 max-md:px-0 max-md:text-xs";
