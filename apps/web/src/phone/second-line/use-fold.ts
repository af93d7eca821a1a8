import { useState } from "react";
import { useWide } from "../../components/use-wide.ts";

/** Whether what may fold is folded here, and open: on a wide screen nothing is. */
export function useFold(folds: boolean) {
  const wide = useWide();
  const [opened, setOpened] = useState(false);
  const canFold = folds && !wide;
  return { canFold, open: !canFold || opened, toggle: () => setOpened(!opened) };
}
