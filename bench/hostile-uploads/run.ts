/**
 * How long GET /api/health takes while a member uploads what could block the server: median and maximum of requests 20
 * ms apart, compared to an idle server. `node bench/hostile-uploads/run.ts [rounds]`
 */
import { setTimeout as sleep } from "node:timers/promises";
import { askAt, signUp } from "../../testing/sign-up.ts";
import { startApp } from "../../testing/start-app.ts";
import { median, writeResults } from "../write-results.ts";

const rounds = Number(process.argv[2] ?? 3);
const mb = 2 ** 20;
const header = "First Name,Last Name,E-Mail,Mobile Phone\n";
const goodRow = "Bob,Stone,bob@x.example,(202) 555-0100\n";

interface Attack {
  what: string;
  path: string;
  /** A file's name and content, or a JSON body. */
  file?: [name: string, content: string | Buffer];
  json?: string;
}
const csv = (what: string, content: string): Attack => ({
  what,
  path: "/v1/lead-imports",
  file: ["leads.csv", content],
});
const attachment = (what: string, name: string, content: string | Buffer): Attack => ({
  what,
  path: "/v1/files",
  file: [name, content],
});

/** At a sample rate that requires resampling. */
function waveOf(sampleBytes: number): Buffer {
  const wave = Buffer.alloc(44 + sampleBytes, 1);
  wave.write("RIFF\0\0\0\0WAVEfmt ", 0, "latin1");
  wave.writeUInt32LE(wave.length - 8, 4);
  wave.writeUInt32LE(16, 16);
  wave.writeUInt16LE(1, 20);
  wave.writeUInt16LE(1, 22);
  wave.writeUInt32LE(44_100, 24);
  wave.writeUInt32LE(88_200, 28);
  wave.writeUInt16LE(2, 32);
  wave.writeUInt16LE(16, 34);
  wave.write("data", 36, "latin1");
  wave.writeUInt32LE(wave.length - 44, 40);
  return wave;
}

const attacks: Attack[] = [
  csv("import: 1 MB of line breaks", header + "\n".repeat(mb)),
  csv("import: 9.8 MB of line breaks", header + "\n".repeat(9.8 * mb)),
  csv("import: 24 MB of line breaks", header + "\n".repeat(24 * mb)),
  csv("import: one line of 24 MB", header + "a".repeat(24 * mb)),
  csv("import: one quoted cell of 24 MB", `${header}"${'""'.repeat(12 * mb)}"\n`),
  csv("import: 24 MB of quotation marks", header + '"\n'.repeat(12 * mb)),
  csv("import: 600,000 good rows", header + goodRow.repeat(600_000)),
  attachment("attachment: 9.9 MB of one line", "notes.txt", "a".repeat(9.9 * mb)),
  attachment(
    "attachment: a PNG of noise",
    "face.png",
    Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), Buffer.alloc(9.9 * mb, 7)]),
  ),
  { what: "greeting: 19.9 MB of samples", path: "/v1/voicemail/greetings", file: ["hello.wav", waveOf(19.9 * mb)] },
  { what: "greeting: 60 s at 44.1 kHz", path: "/v1/voicemail/greetings", file: ["hello.wav", waveOf(60 * 88_200)] },
  { what: "JSON: 120,000 levels deep", path: "/v1/leads", json: "[".repeat(120_000) + "]".repeat(120_000) },
  {
    what: "JSON: 20,000 keys",
    path: "/v1/leads",
    json: `{${Array.from({ length: 20_000 }, (_, i) => `"k${i}":1`).join()}}`,
  },
];

const app = await startApp();
try {
  const { token } = await signUp(app.address, { organisation: "Hostile" });
  const taken = new Map<string, { health: number[]; uploads: number[]; statuses: Set<number> }>();
  // The first round is a warm-up.
  for (let round = -1; round < rounds; round += 1) {
    for (const attack of [null, ...attacks]) {
      const name = attack?.what ?? "nothing";
      const startedAt = performance.now();
      let status = 0;
      const health = await pollUntil(
        attack === null ? sleep(2_000) : send(attack, token).then((got) => (status = got)),
      );
      if (round < 0) continue;
      const known = taken.get(name) ?? { health: [], uploads: [], statuses: new Set() };
      taken.set(name, known);
      known.health.push(...health);
      known.uploads.push(performance.now() - startedAt);
      known.statuses.add(status);
    }
  }
  writeResults("hostile-uploads", {
    what: `GET /api/health every 20 ms while one member sends what is meant to stop the server, in ms. ${rounds} rounds. The limit is 1,000.`,
    rows: [
      ["is sent", "answer", "takes, median", "health, median", "health, longest"],
      ...[...taken].map(([name, { health, uploads, statuses }]) => [
        name,
        [...statuses].join() === "0" ? "" : [...statuses].join(),
        median(uploads).toFixed(0),
        median(health).toFixed(1),
        Math.max(...health).toFixed(0),
      ]),
    ],
  });
} finally {
  await app.stop();
}

async function send({ path, file, json }: Attack, token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}`, ...(json && { "content-type": "application/json" }) };
  const form = new FormData();
  if (file) form.append("file[]", new File([new Uint8Array(Buffer.from(file[1]))], file[0]));
  const answer = await fetch(`${app.address}/api${path}`, { method: "POST", headers, body: json ?? form });
  await answer.text();
  return answer.status;
}

/** The duration of each request; the last one started before the work was done. */
async function pollUntil(work: Promise<unknown>): Promise<number[]> {
  const asked: Promise<number>[] = [];
  const asking = setInterval(() => asked.push(ask()), 20);
  await work.finally(() => clearInterval(asking));
  return Promise.all(asked);
}

async function ask(): Promise<number> {
  const askedAt = performance.now();
  await askAt(app.address, "/health");
  return performance.now() - askedAt;
}
