import { toast } from "sonner";
import { problemDetail } from "../data/problem-error.ts";
import { useIsHere } from "./use-is-here.ts";

/**
 * For a mutation whose error is shown where the user acted: by the time of the response, or of Undo in a toast, they
 * may have left, and only a toast is visible.
 */
export function useNoticeAfterLeaving(): (error: Error) => void {
  const isHere = useIsHere();
  return (error) => {
    if (!isHere()) toast.error("Nothing was changed.", { description: problemDetail(error) });
  };
}
