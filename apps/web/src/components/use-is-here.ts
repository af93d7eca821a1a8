import { useEffect, useRef } from "react";

/** Whether the component is still mounted, for use after an await. */
export function useIsHere(): () => boolean {
  const here = useRef(false);
  useEffect(() => {
    here.current = true;
    return () => void (here.current = false);
  }, []);
  return () => here.current;
}
