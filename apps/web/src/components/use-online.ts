import { useSyncExternalStore } from "react";

/** Whether the browser has a network; the server may still be down. */
export const useOnline = (): boolean => useSyncExternalStore(onChange, () => navigator.onLine);

function onChange(listener: () => void): () => void {
  window.addEventListener("online", listener);
  window.addEventListener("offline", listener);
  return () => {
    window.removeEventListener("online", listener);
    window.removeEventListener("offline", listener);
  };
}
