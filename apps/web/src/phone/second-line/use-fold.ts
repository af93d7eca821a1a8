import { useState } from "react";
import { useWide } from "../../components/use-wide.ts";

/** Whether the foldable part is folded here, and open: on a wide screen nothing is folded. */
export function useFold(folds: boolean) {
  const wide = useWide();
  const [opened, setOpened] = useState(false);
  const canFold = folds && !wide;
  return { canFold, open: !canFold || opened, toggle: () => setOpened(!opened) };
}
