import type { Call } from "@leadline/contract/calls";
import { formatDuration } from "../../components/format-time.ts";
import { leadOfCall } from "../../components/lead-names.ts";
import { otherEnd } from "../../components/other-end.ts";
import { showNotice } from "../../data/show-notice.ts";
import { loadFormat } from "../numbers/use-formatted-number.ts";

/** Inbound calls that this page has seen, without their outcome yet. */
const awaited = new Set<string>();

/** A missed call is news once: at its end, or when its voicemail message is complete. */
function newsOf(call: Call): "call-missed" | "message-left" | null {
  const isOver = call.endedAt !== null && call.cause?.reason !== "in-voicemail";
  if (!isOver && call.userId === null) {
    awaited.add(call.callSid);
    return null;
  }
  // If no one could be rung, the first event of a call is its end.
  const isNew = awaited.delete(call.callSid) || call.revision === 0;
  if (!isNew || call.userId !== null) return null;
  return call.voicemail ? "message-left" : "call-missed";
}

/**
 * Notifies a user who works in another window of a missed call or its message. Call it with every report of an inbound
 * call.
 */
export async function notifyOfMissedCall(call: Call): Promise<void> {
  const about = newsOf(call);
  if (about === null) return;
  const format = await loadFormat();
  const who = leadOfCall(call.leads) ?? otherEnd(call, format);
  const { callSid: tag, calledNumber, voicemail } = call;
  if (voicemail) {
    const body = `${formatDuration(voicemail.durationMs)}. Listen to it in Leadline, under Calls.`;
    return void showNotice({ about, title: `New message: ${who}`, body, tag });
  }
  const to = calledNumber === null ? "" : `To ${format(calledNumber)}. `;
  showNotice({ about, title: `Missed call: ${who}`, body: `${to}Call back in Leadline, under Calls.`, tag });
}
