import { MicOff } from "lucide-react";
import { microphoneSentences } from "../microphone/open-microphone.ts";
import { useDevices } from "../phone-context.ts";

/** Before a call: distinguishes a missing microphone, a refused one and an insecure page. */
export function MicrophoneNotice() {
  const { problem } = useDevices();
  if (!problem) return null;
  return (
    <p
      role="status"
      data-problem={problem}
      className="flex items-start gap-2 rounded-md bg-fault-wash px-3 py-2 text-table text-pretty text-ink"
    >
      <MicOff className="mt-0.5 size-4 shrink-0 text-fault" aria-hidden="true" />
      {microphoneSentences[problem]}
    </p>
  );
}
