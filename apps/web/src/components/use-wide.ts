import { useSyncExternalStore } from "react";

/** From 768 px on there is room beside the phone (spec: mobile layout below). */
const wide = "(min-width: 768px)";

/** For what must exist once, not be shown once: two note fields of one call would write over each other. */
export const useWide = (): boolean => useSyncExternalStore(onChange, () => matchMedia(wide).matches);

function onChange(listener: () => void): () => void {
  const query = matchMedia(wide);
  query.addEventListener("change", listener);
  return () => query.removeEventListener("change", listener);
}
