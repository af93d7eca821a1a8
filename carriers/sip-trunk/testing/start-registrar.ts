import type { Heard } from "./heard.ts";
import { openSipPeer, openTcpPeer, type SipPeerOptions } from "./sip-peer.ts";

/** A registrar that answers each REGISTER as the test says, by default with its Contact, and always answers OPTIONS. */
export async function startRegistrar(
  options: Omit<SipPeerOptions, "onHeard"> & {
    transport?: "udp" | "tcp";
    answer: (register: Heard, nth: number) => { status: number; headers?: string[]; hangsUp?: boolean };
  },
) {
  const registers: Heard[] = [];
  const open = options.transport === "tcp" ? openTcpPeer : openSipPeer;
  const { port, close } = await open({
    ...options,
    onHeard(heard) {
      if (heard.what === "OPTIONS") heard.reply(200);
      if (heard.what !== "REGISTER") return;
      registers.push(heard);
      const said = options.answer(heard, registers.length);
      heard.reply(said.status, { headers: said.headers ?? [`Contact: ${heard.header("contact")};expires=300`] });
      if (said.hangsUp) heard.hangUp();
    },
  });
  return { port, close, registers };
}
