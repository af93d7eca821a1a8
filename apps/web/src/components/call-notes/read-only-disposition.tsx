import type { Call } from "@leadline/contract/calls";

/** The note and outcome of another person's call. */
export function ReadOnlyDisposition({ call }: { call: Call }) {
  return (
    <div className="flex flex-col gap-3">
      <p className="text-pretty whitespace-pre-line">{call.note || "No note."}</p>
      <p className="text-ink-soft">{call.outcome ? `Outcome: ${call.outcome.name}` : "No outcome."}</p>
      <p className="text-table text-ink-soft">Only {call.userName} or an admin can change this.</p>
    </div>
  );
}
