import { useSyncExternalStore } from "react";

/** From 768 px on there is room next to the phone (spec: mobile layout below). */
const wide = "(min-width: 768px)";

/** For what must exist once, not just be shown once: two note fields of one call would overwrite each other. */
export const useWide = (): boolean => useSyncExternalStore(onChange, () => matchMedia(wide).matches);

function onChange(listener: () => void): () => void {
  const query = matchMedia(wide);
  query.addEventListener("change", listener);
  return () => query.removeEventListener("change", listener);
}
