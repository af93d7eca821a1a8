import { useEffect, useState } from "react";

const restMs = 300;

/** The text once typing has rested, or at once where `settleNow` says so. */
export function useSettled(text: string): { value: string; settleNow: () => void } {
  const [value, setValue] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setValue(text), restMs);
    return () => clearTimeout(timer);
  }, [text]);
  return { value, settleNow: () => setValue(text) };
}
