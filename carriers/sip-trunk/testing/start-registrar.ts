import { type Heard, openSipPeer, type SipPeerOptions } from "./sip-peer.ts";

/** A registrar that answers each REGISTER as the test says, with its Contact where nothing else is said, and OPTIONS always. */
export async function startRegistrar(
  options: Omit<SipPeerOptions, "onHeard"> & {
    answer: (register: Heard, nth: number) => { status: number; headers?: string[]; hangsUp?: boolean } | null;
  },
) {
  const registers: Heard[] = [];
  const peer = await openSipPeer({
    ...options,
    onHeard(heard) {
      if (heard.what === "OPTIONS") heard.reply(200);
      if (heard.what !== "REGISTER") return;
      registers.push(heard);
      const said = options.answer(heard, registers.length);
      if (!said) return;
      heard.reply(said.status, { headers: said.headers ?? [`Contact: ${heard.header("contact")};expires=300`] });
      if (said.hangsUp) heard.hangUp();
    },
  });
  return { ...peer, registers };
}
