import { writeRtpDescription } from "@leadline/adapter-kit/rtp/rtp-description";

import type { Heard } from "./heard.ts";
import { openSipPeer } from "./sip-peer.ts";

const body = writeRtpDescription({ host: "127.0.0.1", port: 9, codecs: ["PCMU"], telephoneEventType: null });
const fragment = "message/sipfrag;version=2.0";

/**
 * A far end with several lines that answers every call, and connects two of its callers if one is transferred into our
 * call with the other (RFC 3891, section 3: Call-ID and both tags must match a known call).
 */
export async function startPbx() {
  const invites = new Map<string, Heard>();
  const referred: string[] = [];
  const peer = await openSipPeer({
    onHeard(heard) {
      const callId = heard.header("call-id") ?? "";
      if (heard.what === "INVITE") {
        if (!/;tag=/.test(heard.header("to") ?? "")) invites.set(callId, heard);
        const headers = [
          ...heard.headers("record-route").map((route) => `Record-Route: ${route}`),
          `Contact: <sip:pbx@127.0.0.1:${peer.port}>`,
          "Allow: INVITE, ACK, BYE, CANCEL, REFER, NOTIFY",
          "Supported: timer, replaces",
        ];
        heard.reply(200, { headers, body });
      } else if (heard.what === "REFER") refer(heard, callId);
      else if (/^[A-Z]/.test(heard.what) && heard.what !== "ACK") heard.reply(200);
    },
  });

  function refer(heard: Heard, callId: string): void {
    const referTo = heard.header("refer-to") ?? "";
    referred.push(referTo);
    heard.reply(202, { headers: [`Contact: <sip:pbx@127.0.0.1:${peer.port}>`] });
    const invite = invites.get(callId);
    const named = decodeURIComponent(/\?Replaces=([^>&]+)/.exec(referTo)?.[1] ?? "");
    const replaced = [...invites.values()].find((each) => named === placeOf(each));
    const notify = (status: string, state: string): void => {
      const headers = ["Event: refer", `Subscription-State: ${state}`];
      if (invite) peer.sendIn(invite, "NOTIFY", { cseq: ++cseq, headers, contentType: fragment, body: status });
    };
    let cseq = 1;
    notify("SIP/2.0 100 Trying\r\n", "active;expires=60");
    if (replaced) peer.sendIn(replaced, "BYE", { cseq: 1 });
    notify(`SIP/2.0 ${replaced ? "200 OK" : "481 No Such Call"}\r\n`, "terminated;reason=noresource");
  }

  return { ...peer, referred, stop: peer.close };
}

/** Our own tag first: it is the one in the caller's To. */
function placeOf(invite: Heard): string {
  const from = /;tag=([^;]+)/.exec(invite.header("from") ?? "")?.[1];
  return `${invite.header("call-id")};to-tag=peer;from-tag=${from}`;
}
