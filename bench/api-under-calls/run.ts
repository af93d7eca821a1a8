/**
 * GET /v1/users/me during calls: the real app, with this many users each in a call to the sandbox with audio both ways;
 * the browsers are werift connections in another process. `node bench/api-under-calls/run.ts [calls]`
 */
import { fork } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { askAt, newCredentials } from "../../testing/sign-up.ts";
import { startApp } from "../../testing/start-app.ts";
import { askSteadily, forSeconds } from "../ask-steadily.ts";
import { median, percentile, writeResults } from "../write-results.ts";
import type { FromLoad, LoadResult, ToLoad } from "../media/messages.ts";

const calls = Number(process.argv[2] ?? 100);
const measuredSeconds = 15;

const app = await startApp({ env: { TRUSTED_PROXIES: "127.0.0.1" } });
const load = fork(new URL("../media/load.ts", import.meta.url));
try {
  await measure();
} finally {
  load.kill();
  await app.stop();
}

async function measure(): Promise<void> {
  const tokens: string[] = [];
  for (let person = 0; person < calls; person += 1) tokens.push(await signUpFrom(`10.0.0.${person}`));
  const asked = { address: app.address, path: "/v1/users/me", token: tokens[0] ?? "" };
  const idle = await askSteadily(asked, forSeconds(5));

  let answered = 0;
  const allAnswered = Promise.withResolvers<void>();
  const result = Promise.withResolvers<LoadResult>();
  load.on("message", (message: FromLoad) => {
    if (message.type === "result") return result.resolve(message);
    void answer(message.index, message.offer);
  });
  for (let index = 0; index < calls; index += 1) {
    send({ type: "open", index });
    await sleep(80);
  }
  await allAnswered.promise;
  await sleep(3_000);

  send({ type: "start" });
  const busy = await askSteadily(asked, forSeconds(measuredSeconds));
  send({ type: "judge" });
  const heard = await result.promise;

  const row = (name: string, values: number[]) => [
    name,
    median(values).toFixed(1),
    percentile(values, 0.99).toFixed(1),
    Math.max(...values).toFixed(1),
  ];
  const expected = calls * 50 * measuredSeconds;
  writeResults("api-under-calls", {
    what:
      `GET /v1/users/me, ms, asked every 20 ms. In the ${calls} calls the browsers heard ${heard.received} packets of ` +
      `${expected} sent, lost ${heard.lost}, jitter p99 ${heard.jitterP99Ms.toFixed(1)} ms, calls without sound: ${heard.silentCalls}.`,
    rows: [["while", "median", "p99", "most"], row("no call runs", idle), row(`${answered} calls run`, busy)],
  });

  async function answer(index: number, offer: string): Promise<void> {
    try {
      await startCall(index, offer);
      answered += 1;
      if (answered === calls) allAnswered.resolve();
    } catch (error) {
      allAnswered.reject(error);
    }
  }

  async function startCall(index: number, offer: string): Promise<void> {
    const body = { phoneNumber: "+12025550100", offer };
    const { answer: sdp } = await askAt(app.address, "/v1/calls", { body, token: tokens[index] ?? "" });
    send({ type: "answer", index, answer: sdp });
  }
}

function send(message: ToLoad): void {
  load.send(message);
}

/** From a separate address: one address may only register a hundred users. */
async function signUpFrom(address: string): Promise<string> {
  const credentials = newCredentials();
  const post = async (path: string, body: object, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${app.address}/api${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-forwarded-for": address, ...headers },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
    return answer.json();
  };
  await post("/v1/register", { firstName: "Robin", lastName: "Bench", ...credentials });
  const { token } = await post("/v1/login", credentials);
  await post("/v1/organisations", { name: "Bench" }, { authorization: `Bearer ${token}` });
  return token;
}
