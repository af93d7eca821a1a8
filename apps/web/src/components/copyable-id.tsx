import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { toast } from "sonner";

/** The first eight characters; a click copies all of it. */
export function CopyableId({ id }: { id: string }) {
  const [copied, setCopied] = useState(false);

  async function copy(): Promise<void> {
    try {
      // Missing on plain-http origins.
      await navigator.clipboard.writeText(id);
      setCopied(true);
      setTimeout(() => setCopied(false), 1500);
    } catch {
      toast("Your browser didn’t allow copying.", { description: id });
    }
  }

  const Icon = copied ? Check : Copy;
  return (
    <button
      type="button"
      onClick={() => void copy()}
      title={id}
      aria-label={`Copy the ID ${id.slice(0, 8)}`}
      className="group/id -mx-1.5 inline-flex items-center gap-1.5 rounded-[6px] px-1.5 py-0.5 text-ink-soft tabular-nums hover:bg-ink/6 hover:text-ink"
    >
      {id.slice(0, 8)}
      <Icon
        aria-hidden="true"
        className={`size-3.5 ${copied ? "text-brass" : "opacity-0 group-hover/id:opacity-100 group-focus-visible/id:opacity-100 pointer-coarse:opacity-60"}`}
      />
      <output className="sr-only">{copied ? "Copied" : ""}</output>
    </button>
  );
}
