/** The package's WebAssembly build only; its main module would load native code if it can. */
declare module "@evan/opus/wasm/index.mjs" {
  interface Options {
    channels: 1 | 2;
    sample_rate: 8000 | 12000 | 16000 | 24000 | 48000;
  }
  export class Encoder {
    constructor(options: Options & { application: "voip" | "audio" | "restricted_lowdelay" });
    /** libopus's opus_encoder_ctl. */
    ctl(request: number, value: number): number;
    /** 16-bit samples; throws if they aren't a valid frame length. */
    encode(samples: ArrayBufferView): Uint8Array;
    drop(): void;
  }
  export class Decoder {
    constructor(options: Options);
    /** 16-bit samples; throws if it isn't an Opus packet. */
    decode(packet: ArrayBufferView): Uint8Array;
    drop(): void;
  }
}
