import type { CarrierLegEvent, InboundCall } from "@leadline/adapter-kit/carrier";
import { hear } from "@leadline/adapter-kit/conformance/hear";
import { placeCall } from "@leadline/adapter-kit/conformance/place-call";
import { openRtpEndpoint } from "@leadline/adapter-kit/conformance/rtp-endpoint";
import { loudness, purestShareAt } from "@leadline/adapter-kit/conformance/tone";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { openSipTrunk } from "../open-sip-trunk.ts";
import { settings } from "../settings.ts";
import { number, openStage, type Stage } from "../testing/start-callees.ts";
import { type Linphonec, startLinphonec } from "../testing/start-linphonec.ts";
import { freePort, until } from "../testing/start-program.ts";
import { soundOfWave } from "../testing/wave.ts";

const theirHz = 500;
const ourHz = 800;

describe("a call with linphonec", () => {
  let stage: Stage;
  let linphonec: Linphonec;
  let trunk: Awaited<ReturnType<typeof openSipTrunk>>;
  let localPort: number;
  const calls: InboundCall[] = [];
  beforeAll(async () => {
    stage = await openStage();
    linphonec = await stage.keep(
      startLinphonec(stage.peers, { folder: stage.folder, user: number("01"), toneHz: theirHz }),
    );
    localPort = await freePort();
    const given = { host: `127.0.0.1:${linphonec.port}`, transport: "udp", authentication: "ip", localPort };
    trunk = await openSipTrunk(settings.parse(given), {
      listener: { onState: () => {}, onInbound: (call) => void calls.push(call) },
    });
  });
  afterAll(async () => {
    await trunk.close();
    await stage.close();
  });

  async function expectHeardThere(recording: string, call: number): Promise<void> {
    await until("the end there", () => new RegExp(`Call ${call} .* ended`).test(linphonec.output()));
    // The recording lags behind.
    await until("what it heard", async () => loudness(await soundOfWave(recording)) > 1_000);
    expect(purestShareAt(ourHz, await soundOfWave(recording))).toBeGreaterThan(0.8);
  }

  it("that we make is heard at both ends", async () => {
    const recording = linphonec.recordNext();
    const call = await placeCall(trunk, number("01"));
    await call.answered();
    call.endpoint.sendTone(ourHz);
    expect(await hear(call.endpoint, theirHz)).toBeGreaterThan(0.8);
    await call.endpoint.listen(1_000);
    await call.hangUp();
    await expectHeardThere(recording, 1);
  });

  it("that it makes is heard at both ends", async () => {
    const recording = linphonec.recordNext();
    linphonec.command(`call sip:+442079460123@127.0.0.1:${localPort}`);
    await until("the call", () => calls.length === 1);
    const endpoint = await openRtpEndpoint();
    const events: CarrierLegEvent[] = [];
    calls[0]?.ring();
    await calls[0]?.answer({
      offer: endpoint.offer,
      onEvent(event) {
        events.push(event);
        if ("answer" in event) endpoint.acceptAnswer(event.answer);
      },
    });
    endpoint.sendTone(ourHz);
    expect(await hear(endpoint, theirHz)).toBeGreaterThan(0.8);
    await endpoint.listen(1_000);
    linphonec.command("terminate");
    await until("its end", () => events.at(-1)?.type === "ended");
    endpoint.close();
    await expectHeardThere(recording, 2);
  });
});
