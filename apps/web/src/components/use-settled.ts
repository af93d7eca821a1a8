import { useEffect, useState } from "react";

/** The text once typing has paused, or immediately after `settleNow`. */
export function useSettled(text: string, restMs = 300): { value: string; settleNow: () => void } {
  const [value, setValue] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setValue(text), restMs);
    return () => clearTimeout(timer);
  }, [text, restMs]);
  return { value, settleNow: () => setValue(text) };
}
