import { useState } from "react";
import { problemDetail } from "../data/problem-error.ts";

/** For the options of every mutation that a person starts from one place. */
export interface Telling {
  onMutate: () => void;
  onError: (error: unknown) => void;
}

/** Why the last thing asked for in one place was refused, to be shown there; gone as soon as something is asked again. */
export function useRefusal() {
  const [refusal, setRefusal] = useState<string | null>(null);
  const forget = () => setRefusal(null);
  const telling: Telling = { onMutate: forget, onError: (error) => setRefusal(problemDetail(error)) };
  return { refusal, forget, telling };
}
