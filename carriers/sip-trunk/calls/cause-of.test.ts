import { describe, expect, it } from "vitest";

import { causeForAccount, causeOfBye, causeOfRefusal, readQ850 } from "./cause-of.ts";

describe("why a call failed", () => {
  it.each([
    [486, "busy", 17],
    [600, "busy", 17],
    [480, "no-answer", 19],
    [408, "no-answer", 18],
    [487, "no-answer", 18],
    [404, "number-unknown", 1],
    [410, "number-unknown", 22],
    [484, "number-unknown", 28],
    [604, "number-unknown", 1],
    [603, "rejected", 21],
    [607, "rejected", 21],
    [402, "carrier-refused", 21],
    [403, "carrier-refused", 21],
    [407, "carrier-refused", 21],
    [433, "carrier-refused", 21],
    [438, "carrier-refused", 21],
    [488, "carrier-refused", 88],
    [500, "network-failure", 41],
    [503, "network-failure", 38],
    [504, "network-failure", 102],
  ] as const)("%i is %s, Q.850 %i", (sip, reason, q850) => {
    expect(causeOfRefusal(sip)).toEqual({ reason, sip, q850 });
  });

  it("maps every possible final response", () => {
    for (let status = 300; status < 700; status++) expect(causeOfRefusal(status).reason).not.toBe("hung-up-there");
  });

  it("prefers the phone network's own cause if the response contains it", () => {
    expect(causeOfRefusal(480, 'Q.850;cause=17;text="User busy"')).toEqual({ reason: "busy", sip: 480, q850: 17 });
    expect(causeOfRefusal(503, "Q.850;cause=1")).toEqual({ reason: "number-unknown", sip: 503, q850: 1 });
    // Normal clearing says less than the status.
    expect(causeOfRefusal(486, "Q.850;cause=16")).toEqual({ reason: "busy", sip: 486, q850: 16 });
  });

  it("finds Q.850 among other reasons, and nothing in an invalid header", () => {
    expect(readQ850('SIP;cause=200;text="Completed elsewhere", Q.850 ;text="x";cause=19')).toBe(19);
    expect(readQ850("SIP;cause=486")).toBeNull();
    expect(readQ850("X-Q.850;cause=3")).toBeNull();
    expect(readQ850(undefined)).toBeNull();
  });
});

it("distinguishes a far end that hung up from a network that dropped the call", () => {
  expect(causeOfBye(undefined)).toEqual({ reason: "hung-up-there", sip: 200, q850: 16 });
  expect(causeOfBye("Q.850;cause=31")).toEqual({ reason: "hung-up-there", sip: 200, q850: 31 });
  expect(causeOfBye("Q.850;cause=41")).toEqual({ reason: "network-failure", sip: 200, q850: 41 });
});

describe("a refusal of our account", () => {
  const reasonOf = (sip: number, standing: { refusedWith: number | null; hasCredentials: boolean }) =>
    causeForAccount(causeOfRefusal(sip), standing).reason;
  it("is distinguished from a refused call: it follows our password, or a forbidden registration", () => {
    const account = { refusedWith: null, hasCredentials: true };
    expect([401, 407].map((sip) => reasonOf(sip, account))).toEqual(["credentials-refused", "credentials-refused"]);
    expect(reasonOf(403, account)).toBe("carrier-refused");
    for (const refusedWith of [401, 403, 407])
      expect(reasonOf(403, { ...account, refusedWith })).toBe("credentials-refused");
    expect(reasonOf(403, { ...account, refusedWith: 404 })).toBe("carrier-refused");
    expect(reasonOf(486, { ...account, refusedWith: 403 })).toBe("busy");
    expect(reasonOf(407, { refusedWith: null, hasCredentials: false })).toBe("carrier-refused");
  });
});
