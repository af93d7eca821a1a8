import type { InboundCall } from "@leadline/adapter-kit/carrier";
import { writeRtpDescription } from "@leadline/adapter-kit/rtp/rtp-description";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { openSipTrunk } from "../open-sip-trunk.ts";
import { settings } from "../settings.ts";
import { openSipPeer } from "../testing/sip-peer.ts";
import { freePort, until } from "../testing/start-program.ts";

const sound = writeRtpDescription({ host: "127.0.0.1", port: 9, codecs: ["PCMU"], telephoneEventType: null });

describe("a caller that gets ringing", () => {
  let peer: Awaited<ReturnType<typeof openSipPeer>>;
  let trunk: Awaited<ReturnType<typeof openSipTrunk>>;
  let localPort: number;
  let call: InboundCall | null;
  beforeEach(async () => {
    call = null;
    peer = await openSipPeer({ onHeard: (heard) => heard.what === "OPTIONS" && heard.reply(200) });
    localPort = await freePort();
    const given = { host: `127.0.0.1:${peer.port}`, transport: "udp", authentication: "ip", localPort };
    trunk = await openSipTrunk(settings.parse(given), {
      listener: { onState: () => {}, onInbound: (came) => void (call = came) },
    });
    await until("we are known", () => peer.heard("OPTIONS").length > 0);
  });
  afterEach(async () => {
    vi.useRealTimers();
    await trunk.close();
    await peer.close();
  });

  const invite = async (headers: string[], body = sound): Promise<InboundCall> => {
    peer.sendCall(localPort, "INVITE", { callId: "ringing", headers, body });
    await until("a call", () => call !== null);
    if (!call) throw new Error("no call came");
    return call;
  };
  const answerTo = (cseq: string) => peer.all.find((each) => each.header("cseq") === cseq && each.what !== "100")?.what;
  /** The response to a PRACK of that. */
  const acknowledge = async (cseq: number, rack: string): Promise<string | undefined> => {
    const toTag = /tag=(\S+)/.exec(peer.heard("180")[0]?.header("to") ?? "")?.[1] ?? "";
    peer.sendCall(localPort, "PRACK", { callId: "ringing", toTag, cseq, headers: [`RAck: ${rack}`] });
    await until("an answer", () => answerTo(`${cseq} PRACK`) !== undefined);
    return answerTo(`${cseq} PRACK`);
  };
  const rseq = (): string => peer.heard("180")[0]?.header("rseq") ?? "";

  it.each(["Require", "Supported"])("reliably (%s) acknowledges it once, and another RSeq is rejected", async (by) => {
    const came = await invite([`${by}: 100rel`]);
    came.ring();
    came.ring();
    await until("it is told again, until it is known", () => peer.heard("180").length >= 2);
    expect(new Set(peer.heard("180").map(({ text }) => text)).size).toBe(1);
    expect(peer.heard("180")[0]?.header("require")).toBe("100rel");
    expect(Number(rseq())).toBeGreaterThan(0);
    expect(await acknowledge(2, `${Number(rseq()) + 1} 1 INVITE`)).toBe("481");
    expect(await acknowledge(3, `${rseq()} 2 INVITE`)).toBe("481");
    expect(await acknowledge(4, `${rseq()} 1 INVITE`)).toBe("200");
    expect(await acknowledge(5, `${rseq()} 1 INVITE`)).toBe("481");
    came.refuse("busy");
    await until("the refusal", () => answerTo("1 INVITE") !== undefined && peer.heard("486").length > 0);
    peer.sendCall(localPort, "ACK", { callId: "ringing" });
  });

  it("may acknowledge it after the answer as well, and then gets no more ringing", async () => {
    const came = await invite(["Supported: 100rel, timer"]);
    came.ring();
    await until("ringing", () => peer.heard("180").length === 1);
    await came.answer({ offer: sound, onEvent: () => {} });
    await until("the answer", () => peer.heard("200").some(({ body }) => body !== ""));
    expect(await acknowledge(2, `${rseq()} 1 INVITE`)).toBe("200");
  });

  it.each([
    ["is refused", "Require", true],
    ["keeps ringing", "Supported", false],
  ])("%s if no PRACK arrives within 32 s (%s), and gets no further ringing", async (_, by, isRefused) => {
    const came = await invite([`${by}: 100rel`]);
    let givenUp = false;
    came.onGivenUp(() => (givenUp = true));
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    came.ring();
    vi.advanceTimersByTime(31_900);
    expect(givenUp).toBe(false);
    vi.advanceTimersByTime(200);
    expect(givenUp).toBe(isRefused);
    vi.advanceTimersByTime(30_000);
    vi.useRealTimers();
    if (!isRefused) came.refuse("busy");
    await until("the refusal", () => peer.heard(isRefused ? "504" : "486").length > 0);
    expect(peer.heard("180")).toHaveLength(7);
  });

  it("gets it once, unreliably, if it doesn't support 100rel; its BYE ends the ringing", async () => {
    const came = await invite([]);
    let givenUp = false;
    came.onGivenUp(() => (givenUp = true));
    came.ring();
    await until("ringing", () => peer.heard("180").length === 1);
    expect(peer.heard("180")[0]?.header("rseq")).toBeUndefined();
    const toTag = /tag=(\S+)/.exec(peer.heard("180")[0]?.header("to") ?? "")?.[1] ?? "";
    peer.sendCall(localPort, "BYE", { callId: "ringing", toTag, cseq: 2 });
    await until("the end", () => givenUp && peer.heard("487").length > 0);
    expect(answerTo("2 BYE")).toBe("200");
  });

  it("gets none if it requires reliability but leaves the offer to us, as there is no description yet", async () => {
    const came = await invite(["Require: 100rel"], "");
    came.ring();
    came.refuse("busy");
    await until("the refusal", () => peer.heard("486").length > 0);
    expect(peer.heard("180")).toHaveLength(0);
  });
});
