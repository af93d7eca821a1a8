import { describe, expect, it, vi } from "vitest";

import { createTargets } from "./targets.ts";

const none = () => Promise.resolve([]);
const wanted = [{ host: "trunk.test", port: 5060, protocol: "UDP" }] as const;

describe("a trunk's addresses", () => {
  it("stay known while DNS doesn't respond, without any waiting", async () => {
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

  it("are those of each of its servers in order, stay known if DNS loses one, and are listed once", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    const known = new Map([
      ["one.test", ["192.0.2.1"]],
      ["two.test", ["192.0.2.2", "192.0.2.1"]],
    ]);
    const resolve4 = (name: string) => Promise.resolve(known.get(name) ?? []);
    const resolver = { resolveNaptr: none, resolveSrv: none, resolve6: none, resolve4, lookup: none };
    const places = ["none.test", "one.test", "two.test"].map((host) => ({
      host,
      port: 5060,
      protocol: "UDP" as const,
    }));
    const targets = createTargets({ resolver, wanted: places, isRouted: async () => true, onLocated: () => {} });
    const addresses = async () => (await targets.all()).map(({ address }) => address);
    expect(await addresses()).toEqual(["192.0.2.1", "192.0.2.2"]);
    expect(targets.notLocated().map(({ host }) => host)).toEqual(["none.test"]);
    expect(targets.known().map(targets.placeOf)).toEqual([1, 2]);
    expect(["192.0.2.2", "192.0.2.9"].map(targets.serverNameAt)).toEqual(["two.test", "none.test"]);
    known.delete("two.test");
    known.set("one.test", ["192.0.2.3"]);
    vi.advanceTimersByTime(61_000);
    await targets.all();
    await expect.poll(addresses).toEqual(["192.0.2.3", "192.0.2.2", "192.0.2.1"]);
    vi.useRealTimers();
  });

  it("are only those with a route, unless none has one; newly located servers are reported", async () => {
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

  it("are none after a move to a forbidden place, until they move again", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    let address = "192.0.2.1";
    const asked: string[] = [];
    const resolver = { resolveNaptr: none, resolveSrv: none, resolve6: none, resolve4: async () => [address] };
    const targets = createTargets({
      resolver,
      wanted,
      isRouted: async () => true,
      onLocated: () => {},
      async mayUse(found) {
        asked.push(...found.map((each) => each.address));
        return address !== "192.0.2.2";
      },
    });
    const moveTo = async (next: string, usable: readonly string[]) => {
      address = next;
      vi.advanceTimersByTime(61_000);
      await targets.all();
      await expect.poll(async () => (await targets.all()).map((each) => each.address)).toEqual(usable);
      expect(targets.isTaken()).toBe(usable.length === 0);
    };
    await moveTo("192.0.2.1", ["192.0.2.1"]);
    await moveTo("192.0.2.1", ["192.0.2.1"]);
    await moveTo("192.0.2.2", []);
    await moveTo("192.0.2.3", ["192.0.2.3"]);
    expect(asked).toEqual(["192.0.2.1", "192.0.2.2", "192.0.2.3"]);
    vi.useRealTimers();
  });
});

describe("the addresses that a trunk uses of what DNS holds", () => {
  it("are at most 32, 16 of each name, whatever the DNS of its servers holds", async () => {
    const asked: string[] = [];
    const resolver = {
      resolveNaptr: none,
      resolveSrv: async (name: string) =>
        Array.from({ length: 50 }, (_, i) => ({ name: `${i}.${name}`, port: 5060 + i, priority: i, weight: 1 })),
      async resolve4(name: string) {
        asked.push(name);
        return Array.from({ length: 1_000 }, (_, i) => `192.${name.length}.${i >> 8}.${i & 255}`);
      },
      resolve6: async () => Array.from({ length: 500 }, (_, i) => `2001:db8::${i}`),
    };
    const locateAll = async (...hosts: string[]) => {
      const routed: string[] = [];
      asked.length = 0;
      const targets = createTargets({
        resolver,
        wanted: hosts.map((host) => ({ host, port: null, protocol: "UDP" })),
        isRouted: async (address) => routed.push(address) > 0,
        onLocated: () => {},
      });
      const found = await targets.all();
      expect([routed.length, asked.length]).toEqual([32, 10 * hosts.length]);
      return { targets, found };
    };
    const one = await locateAll("a.test");
    expect(one.found.map(({ port }) => port)).toEqual([5060, 5061].flatMap((port) => Array(16).fill(port)));
    const { targets, found } = await locateAll("a.test", "bb.test", "ccc.test", "dddd.test");
    expect(found.map(targets.placeOf)).toEqual([0, 1, 2, 3].flatMap((place) => Array(8).fill(place)));
  });

  it("are all that a provider with several machines has, in their order", async () => {
    const resolver = {
      resolveNaptr: none,
      resolveSrv: async () =>
        [1, 2, 3].map((each) => ({ name: `pop${each}.test`, port: 5060, priority: each, weight: 10 })),
      resolve4: async (name: string) => [1, 2, 3, 4].map((each) => `192.0.2.${name.slice(3, 4)}${each}`),
      resolve6: async (name: string) => [`2001:db8::${name.slice(3, 4)}`],
    };
    const place = { host: "several.test", port: null, protocol: "UDP" } as const;
    const targets = createTargets({ resolver, wanted: [place], isRouted: async () => true, onLocated: () => {} });
    expect((await targets.all()).map(({ address }) => address)).toEqual(
      [1, 2, 3].flatMap((each) => [...[1, 2, 3, 4].map((i) => `192.0.2.${each}${i}`), `2001:db8::${each}`]),
    );
  });
});
