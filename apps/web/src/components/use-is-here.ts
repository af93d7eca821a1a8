import { useEffect, useRef } from "react";

/** Whether what uses it is still on the page; for after a wait, by whose end the person may have left. */
export function useIsHere(): () => boolean {
  const here = useRef(false);
  useEffect(() => {
    here.current = true;
    return () => void (here.current = false);
  }, []);
  return () => here.current;
}
