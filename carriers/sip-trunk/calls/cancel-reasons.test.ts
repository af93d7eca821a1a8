import { expect, it } from "vitest";

import { openRawTrunk } from "../testing/open-raw-trunk.ts";

it("a call that isn't answered in time is cancelled with that reason, not as if someone had hung up", async () => {
  const raw = await openRawTrunk({ ringSeconds: 10 });
  const call = await raw.dial();
  raw.peer.reply(call.invite, "180 Ringing");
  const cancel = await raw.peer.next("CANCEL");
  expect(cancel.header("reason")).toBe('Q.850;cause=19;text="No answer from user"');
  raw.peer.reply(cancel, "200 OK", { contact: null });
  raw.peer.reply(call.invite, "487 Request Terminated", { contact: null });
  await raw.peer.next("ACK");
  expect(await call.ended()).toEqual({ reason: "no-answer", sip: 480, q850: 19 });
  await raw.close();
});
