import { toast } from "sonner";
import { problemDetail } from "../data/problem-error.ts";
import { useIsHere } from "./use-is-here.ts";

/**
 * For a mutation whose refusal stands where the person acted: by the time of the answer, or of Undo in a toast, they may
 * have left there, and then a toast is the only place that they see.
 */
export function useToldAfterLeaving(): (error: Error) => void {
  const isHere = useIsHere();
  return (error) => {
    if (!isHere()) toast.error("Nothing was changed.", { description: problemDetail(error) });
  };
}
