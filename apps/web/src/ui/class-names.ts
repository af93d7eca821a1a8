import { type ClassValue, clsx } from "clsx";
import { extendTailwindMerge } from "tailwind-merge";

const merge = extendTailwindMerge({
  extend: { classGroups: { "font-size": [{ text: ["2xs", "table", "title", "display"] }] } },
});

/** Joins class lists; of two that set the same property the later wins. */
export const classNames = (...classes: ClassValue[]): string => merge(clsx(classes));
