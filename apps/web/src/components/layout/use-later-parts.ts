import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { preloadLaterParts } from "../../ui/later-part.tsx";

const betweenLooksMs = 500;
const longestWaitMs = 5000;

/** Fetches what the first paint doesn't need once the page has its content. Returns whether it has. */
export function useLaterParts(): boolean {
  const queries = useQueryClient();
  const [settled, setSettled] = useState(false);
  useEffect(() => {
    const sinceMs = performance.now();
    const timer = setInterval(() => {
      if (queries.isFetching() > 0 && performance.now() - sinceMs < longestWaitMs) return;
      clearInterval(timer);
      setSettled(true);
      void preloadLaterParts();
    }, betweenLooksMs);
    return () => clearInterval(timer);
  }, [queries]);
  return settled;
}
