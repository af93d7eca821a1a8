import { useEffect, useState } from "react";

/** The text once typing has paused, or immediately after `flush`. */
export function useDebounced(text: string, restMs = 300): { value: string; flush: () => void } {
  const [value, setValue] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setValue(text), restMs);
    return () => clearTimeout(timer);
  }, [text, restMs]);
  return { value, flush: () => setValue(text) };
}
