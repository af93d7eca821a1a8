import { expect, test } from "vitest";

import { settings } from "./settings.ts";

const read = (host: string, rest: object = {}) => settings.safeParse({ host, authentication: "ip", ...rest });

test("an invalid certificate is refused as an authority's", () => {
  const pem = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n";
  expect(read("trunk.example", { certificateAuthority: pem }).success).toBe(true);
  const refused = read("trunk.example", { certificateAuthority: "/etc/ssl/ca.pem" }).error?.issues;
  expect(refused?.map(({ message }) => message)).toEqual([
    "Paste the whole file. It starts with -----BEGIN CERTIFICATE-----.",
  ]);
});

test.each(["trunk.example", "trunk.example:65535", "203.0.113.7:5060", "[2001:db8::1]", "[2001:db8::1]:5061"])(
  "%s is a server",
  (host) => expect(read(host).success).toBe(true),
);

test.each(["trunk.example:65536", "trunk.example:99999", "[2001:db8::1]:0"])("%s has no valid port", (host) =>
  expect(read(host).error?.issues.map(({ message }) => message)).toEqual(["A port is a number from 1 to 65535."]),
);

test("several servers are accepted in any usual notation, up to four, and each invalid one is named", () => {
  expect(read(" sbc1.example.com,sbc2.example.com:5080 , [2001:db8::1],").data?.host).toBe(
    "sbc1.example.com, sbc2.example.com:5080, [2001:db8::1]",
  );
  expect(read("a.test", { outboundProxy: "b.test,c.test" }).data?.outboundProxy).toBe("b.test, c.test");
  const refusals = (host: string) => read(host).error?.issues.map(({ message }) => message);
  expect(refusals("a, b, c, d, e")).toEqual(["Enter at most 4 servers."]);
  expect(refusals("a.test, b test, c.test:70000")).toEqual([
    "b test: Enter a name or an IP address, with :port if you were given one. Separate several with commas.",
    "c.test:70000: A port is a number from 1 to 65535.",
  ]);
  for (const several of ["a.test b.test", "a.test; b.test"])
    expect(refusals(several)).toEqual([
      "Enter a name or an IP address, with :port if you were given one. Separate several with commas.",
    ]);
  expect(refusals(" , ")).toEqual(["Enter a name or an IP address, with :port if you were given one."]);
});

test.each([
  ["udp", false],
  ["tcp", false],
  ["tls", true],
  ["auto", true],
])("encrypted audio is required with %s: %s", (transport, goes) => {
  const given = { host: "trunk.example", authentication: "ip", transport, mediaEncryption: "required" };
  expect(settings.safeParse(given).success).toBe(goes);
});

test("every error is reported at once, including missing credentials", () => {
  const wrong = {
    host: "not a host",
    numbers: ["123"],
    transport: "udp",
    mediaEncryption: "required",
    ringSeconds: null,
  };
  expect(settings.safeParse(wrong).error?.issues.map(({ path }) => path.join("."))).toEqual([
    "host",
    "numbers.0",
    "ringSeconds",
    "mediaEncryption",
    "user",
    "password",
  ]);
});

test("numbers are accepted in any usual notation", () => {
  const numbers = ["+44 20 7946 0123", "+1 (202) 555-0100", "+44 (0)20\u00a07946\u20110124", "+49.30.901820"];
  expect(read("trunk.example", { numbers, callerId: "+44 20 7946 0123" }).data).toMatchObject({
    numbers: ["+442079460123", "+12025550100", "+442079460124", "+4930901820"],
    callerId: "+442079460123",
  });
  const refused = read("trunk.example", { numbers: ["020 7946 0123", "+44 20 7946 0123", "+44 abc"] });
  expect(refused.error?.issues.map(({ path }) => path.join("."))).toEqual(["numbers.0", "numbers.2"]);
});

test("Opus is accepted if chosen, but not as the only codec", () => {
  expect(read("trunk.example").data?.codecs).toEqual(["PCMU", "PCMA", "G722"]);
  expect(read("trunk.example", { codecs: ["opus", "PCMA"] }).data?.codecs).toEqual(["opus", "PCMA"]);
  expect(read("trunk.example", { codecs: ["opus"] }).error?.issues.map(({ message }) => message)).toEqual([
    "Choose PCMU or PCMA as well. Not everyone supports the others.",
  ]);
});

test.each(["100%", "%2B12025550100", "a b", "a;b", "a@b"])(
  "%s isn't a user, as it can't stand in a SIP address",
  (user) => {
    const refused = read("trunk.example", { authentication: "register", user, password: "secret" }).error?.issues;
    expect(refused?.map(({ path, message }) => [path.join(), message])).toEqual([
      ["user", "Use letters, digits and . - _ + only."],
    ]);
  },
);
