import { createSocket } from "node:dgram";
import { Resolver } from "node:dns/promises";
import { once } from "node:events";

type DnsRecord =
  | { name: string; type: "A"; address: string }
  | { name: string; type: "SRV"; priority: number; weight: number; port: number; target: string }
  | { name: string; type: "NAPTR"; order: number; preference: number; service: string; replacement: string };

const typeNumbers = { A: 1, SRV: 33, NAPTR: 35 };
const text = (value: string): Buffer => Buffer.from([value.length, ...Buffer.from(value)]);
const name = (value: string): Buffer => Buffer.concat([...value.split(".").map(text), Buffer.from([0])]);
const numbers = (...values: number[]): Buffer => Buffer.from(values.flatMap((value) => [value >> 8, value & 0xff]));

function dataOf(record: DnsRecord): Buffer {
  if (record.type === "A") return Buffer.from(record.address.split(".").map(Number));
  if (record.type === "SRV")
    return Buffer.concat([numbers(record.priority, record.weight, record.port), name(record.target)]);
  const { order, preference, service, replacement } = record;
  return Buffer.concat([numbers(order, preference), text("s"), text(service), text(""), name(replacement)]);
}

/** A DNS server on loopback with only these records (RFC 1035), and a resolver that uses it alone. */
export async function startDns(records: readonly DnsRecord[]) {
  const { socket, address } = await openSocket();
  socket.on("message", (query, from) => {
    const labels: string[] = [];
    let at = 12;
    for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
      labels.push(query.toString("latin1", at + 1, at + 1 + length));
      at += length + 1;
    }
    const question = query.subarray(12, at + 5);
    const type = query.readUInt16BE(at + 1);
    const asked = labels.join(".").toLowerCase();
    const found = records.filter((record) => record.name === asked && typeNumbers[record.type] === type);
    const known = records.some((record) => record.name === asked);
    const flags = known ? 0x8580 : 0x8583;
    const answers = found.map((record) => {
      const data = dataOf(record);
      return Buffer.concat([numbers(0xc00c, type, 1, 0, 60, data.length), data]);
    });
    const head = Buffer.concat([query.subarray(0, 2), numbers(flags, 1, found.length, 0, 0)]);
    socket.send(Buffer.concat([head, question, ...answers]), from.port, from.address);
  });
  const resolver = new Resolver({ timeout: 1_000, tries: 1 });
  resolver.setServers([address]);
  // The machine's own DNS never sees these names either.
  return {
    resolver: Object.assign(resolver, { lookup: async (): Promise<string[]> => [] }),
    close: (): void => void socket.close(),
  };
}

/** A DNS server on loopback that never answers, and a resolver as patient with it as with the system's own. */
export async function startSilentDns() {
  const { socket, address } = await openSocket();
  let queries = 0;
  socket.on("message", () => void queries++);
  const resolver = new Resolver();
  resolver.setServers([address]);
  return {
    resolver: Object.assign(resolver, { lookup: () => new Promise<never>(() => {}) }),
    queries: (): number => queries,
    close(): void {
      resolver.cancel();
      socket.close();
    },
  };
}

async function openSocket() {
  const socket = createSocket("udp4");
  const listening = once(socket, "listening");
  socket.bind(0, "127.0.0.1");
  await listening;
  return { socket, address: `127.0.0.1:${socket.address().port}` };
}
