import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { preloadLaterParts } from "../../ui/later-part.tsx";

const betweenLooksMs = 500;
const longestWaitMs = 5000;

/** Fetches what no first paint needs once the page has what it shows. Answers whether that is so. */
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
