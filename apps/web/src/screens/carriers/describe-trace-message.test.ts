import { expect, test } from "vitest";
import { describeTraceMessage } from "./describe-trace-message.ts";

const headers = [
  'From: "Acme" <sip:agent:[hidden]@pbx.test>;tag=a',
  "t: <tel:+12025550100>",
  "CSeq: 7 INVITE",
  "Contact: <sip:else@pbx.test>",
];
const message = (direction: "sent" | "received", summary: string, lines = headers) => ({
  direction,
  summary,
  text: [summary, ...lines, ""].join("\r\n"),
});
const request = "INVITE sip:+12025550100@pbx.test SIP/2.0";

test.each([
  ["our call", message("sent", request), { answers: null, number: "+12025550100" }],
  ["the response to it", message("received", "SIP/2.0 200 OK"), { answers: "INVITE", number: "+12025550100" }],
  ["an inbound call", message("received", request), { answers: null, number: "agent" }],
  ["our response to it", message("sent", "SIP/2.0 486 Busy Here"), { answers: "INVITE", number: "agent" }],
  ["a message without headers", message("received", "SIP/2.0 200 OK", []), { answers: null, number: null }],
  ["an address without a user", message("sent", request, ["To: <sip:pbx.test>"]), { answers: null, number: null }],
])("names the far end and the answered request of %s", (_, given, expected) => {
  expect(describeTraceMessage(given)).toEqual(expected);
});
