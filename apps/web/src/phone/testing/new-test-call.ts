import type { Call } from "@leadline/contract/calls";

export const testUserId = "0b0c3b8e-5a6d-4c39-9a39-6f5d0f1a0001";
/** Of this page. */
export const testConnectionId = "0b0c3b8e-5a6d-4c39-9a39-6f5d0f1a0002";

/** The `number`th outbound call, just placed. */
export const newTestCall = (phoneNumber: string, number: number, more: Partial<Call>): Call => ({
  callSid: `CA${String(number).padStart(32, "0")}`,
  revision: 0,
  direction: "outbound",
  status: "queued",
  phoneNumber,
  callerId: null,
  callerVerified: null,
  forwardedBy: null,
  ringsFor: null,
  calledNumber: null,
  userId: testUserId,
  userName: "Ada Byron",
  carrier: "test",
  createdAt: new Date(number).toISOString(),
  answeredAt: null,
  endedAt: null,
  durationMs: 0,
  cause: null,
  muted: false,
  held: false,
  heldByThem: false,
  mediaConnectionId: null,
  line: 1,
  joinedWith: null,
  silenced: false,
  cutOff: null,
  canHold: true,
  canTransfer: true,
  transfer: null,
  voicemail: null,
  activity: null,
  setupMs: null,
  rate: null,
  costMicros: 0,
  note: "",
  outcome: null,
  leads: [],
  followUpOn: null,
  ...more,
});
