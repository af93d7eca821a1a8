import { useState } from "react";
import { problemDetail } from "../data/problem-error.ts";

/** Options for every mutation that a user starts from one place. */
export interface RefusalHandlers {
  onMutate: () => void;
  onError: (error: unknown) => void;
}

/** The reason the last action in one place failed, shown there. The next action clears it. */
export function useRefusal() {
  const [refusal, setRefusal] = useState<string | null>(null);
  const forget = () => setRefusal(null);
  const refusalHandlers: RefusalHandlers = { onMutate: forget, onError: (error) => setRefusal(problemDetail(error)) };
  return { refusal, forget, refusalHandlers };
}
