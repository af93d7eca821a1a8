import { describe, expect, it, vi } from "vitest";

import { createTargets } from "./targets.ts";

const none = () => Promise.resolve([]);
const wanted = { host: "trunk.test", port: 5060, protocol: "UDP" } as const;

describe("a trunk's addresses", () => {
  it("are known on while DNS says nothing, and nobody waits for it", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    let answers = true;
    let asked = 0;
    const resolve4 = () => {
      asked++;
      return answers ? Promise.resolve(["127.0.0.1"]) : new Promise<string[]>(() => {});
    };
    const resolver = { resolveNaptr: none, resolveSrv: none, resolve6: none, resolve4 };
    const targets = createTargets({ resolver, wanted, isRouted: async () => true, onLocated: () => {} });
    expect((await targets.inOrder()).map(({ address }) => address)).toEqual(["127.0.0.1"]);
    answers = false;
    vi.advanceTimersByTime(61_000);
    for (let i = 0; i < 3; i++) expect((await targets.inOrder()).length).toBe(1);
    expect(asked).toBe(2);
    vi.useRealTimers();
  });

  it("are those alone to which a way leads, unless none does; whoever is found is told of", async () => {
    const told: string[] = [];
    const located = async (routed: readonly string[]) => {
      const resolver = {
        resolveNaptr: none,
        resolveSrv: none,
        resolve6: () => Promise.resolve(["2001:db8::1"]),
        resolve4: () => Promise.resolve(["192.0.2.1"]),
      };
      const isRouted = async (address: string): Promise<boolean> => routed.includes(address);
      const onLocated = (found: readonly { address: string }[]): void => void told.push(String(found.length));
      const targets = await createTargets({ resolver, wanted, isRouted, onLocated }).all();
      return targets.map(({ address }) => address);
    };
    expect(await located(["192.0.2.1"])).toEqual(["192.0.2.1"]);
    expect(await located([])).toEqual(["192.0.2.1", "2001:db8::1"]);
    expect(told).toEqual(["1", "2"]);
  });
});
