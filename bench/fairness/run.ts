/**
 * One organisation's write while another keeps 100 requests pending: p50 alone and during the flood. Alternates with
 * another checkout, such as the previous commit's. `node bench/fairness/run.ts [rounds] [other checkout]`
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { askAt, signUp } from "../../testing/sign-up.ts";
import { type RunningApp, startApp } from "../../testing/start-app.ts";
import { median, writeResults } from "../write-results.ts";
import type { Flood } from "./flood.ts";

const rounds = Number(process.argv[2] ?? 5);
const otherCheckout = process.argv[3];
const inFlight = 100;
const ms = 3_000;

const lead = { firstName: "Robin", lastName: "Bench", email: "robin@example.com", phone: "+1 202 555 0100" };
const floods: Record<string, { path: string; body: object }> = {
  "POST /v1/calls": { path: "/v1/calls", body: { phoneNumber: "+12025550100" } },
  "POST /v1/leads": { path: "/v1/leads", body: lead },
};

interface Side {
  name: string;
  app: RunningApp;
  flooding: string;
  writing: string;
}

const sides: Side[] = [];
try {
  if (otherCheckout !== undefined) await open("other checkout", otherCheckout);
  await open("this one");
  await measure();
} finally {
  for (const { app } of sides) await app.stop();
}

async function open(name: string, checkout?: string): Promise<void> {
  const app = await startApp({ ...(checkout !== undefined && { checkout }) });
  const side: Side = { name, app, flooding: "", writing: "" };
  sides.push(side);
  side.flooding = (await signUp(app.address, { organisation: "Flooding" })).token;
  side.writing = (await signUp(app.address, { organisation: "Writing" })).token;
}

async function measure(): Promise<void> {
  const medians = new Map<string, number[]>();
  const note = (key: string, value: number) => medians.set(key, [...(medians.get(key) ?? []), value]);
  const middle = (key: string) => median(medians.get(key) ?? []);
  // The first round is a warm-up.
  for (let round = -1; round < rounds; round += 1) {
    for (const [flood, request] of Object.entries(floods)) {
      for (const side of sides) {
        const alone = median(await write(side));
        const stop = await begin({ address: side.app.address, token: side.flooding, ...request, inFlight });
        await sleep(500);
        const together = median(await write(side));
        await stop();
        if (round < 0) continue;
        note(`${flood} ${side.name} alone`, alone);
        note(`${flood} ${side.name} together`, together);
      }
    }
  }
  writeResults("fairness", {
    what: `POST /v1/leads of one organisation, one at a time, p50 in ms: alone, and while another organisation keeps ${inFlight} requests under way. Medians of ${rounds} interleaved rounds of ${ms / 1000} s.`,
    rows: [
      ["the other organisation sends", "server", "alone", "together", "ratio"],
      ...Object.keys(floods).flatMap((flood) =>
        sides.map(({ name }) => {
          const [alone, together] = [middle(`${flood} ${name} alone`), middle(`${flood} ${name} together`)];
          return [flood, name, alone.toFixed(1), together.toFixed(1), (together / alone).toFixed(1)];
        }),
      ),
    ],
  });
}

async function write({ app, writing }: Side): Promise<number[]> {
  const taken: number[] = [];
  const startedAt = performance.now();
  while (performance.now() - startedAt < ms) {
    const askedAt = performance.now();
    await askAt(app.address, "/v1/leads", { body: lead, token: writing });
    taken.push(performance.now() - askedAt);
    await sleep(5);
  }
  return taken;
}

async function begin(flood: Flood): Promise<() => Promise<void>> {
  const child = fork(new URL("./flood.ts", import.meta.url));
  child.send(flood);
  await once(child, "message");
  return async () => {
    child.kill();
    await once(child, "exit");
  };
}
