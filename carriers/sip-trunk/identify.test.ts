import { expect, it } from "vitest";

import { identify } from "./identify.ts";
import { settings } from "./settings.ts";

const given = { authentication: "ip", numbers: ["+442079460123"], callerId: "+442079460124" };
const resolver = (address: string) => ({
  resolveNaptr: () => Promise.resolve([]),
  resolveSrv: () => Promise.resolve([]),
  resolve4: () => Promise.resolve([address]),
  resolve6: () => Promise.resolve([]),
});

it("identifies a provider by its name and addresses, whatever the capitals, dots and ports", async () => {
  for (const host of ["SIP.Example.", "sip.example:5070", "sip.example:5060"])
    expect(await identify(settings.parse({ ...given, host }), resolver("1.1.1.1"))).toEqual({
      servers: ["sip.example", "1.1.1.1"],
      knownByAddress: true,
      localPort: null,
      numbers: ["+442079460123", "+442079460124"],
      vouchedFor: false,
    });
});

it("identifies a PBX in a private network by its port as well", async () => {
  const { servers } = await identify(settings.parse({ ...given, host: "pbx.example:5070" }), resolver("10.0.0.5"));
  expect(servers).toEqual(["10.0.0.5:5070"]);
});

it("identifies an IPv6 address however it is written", async () => {
  for (const host of [
    "[2606:4700:4700::1111]",
    "[2606:4700:4700:0:0:0:0:1111]",
    "[2606:4700:4700:0000::0:1111]:5070",
  ]) {
    const { servers } = await identify(settings.parse({ ...given, host }), resolver("1.1.1.1"));
    expect(servers).toEqual(["2606:4700:4700::1111"]);
  }
});
