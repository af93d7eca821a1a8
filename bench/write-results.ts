import { mkdirSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";

/** Read before a bench pins itself to some of them. */
const cores = availableParallelism();

/** Prints the table, and saves it with the machine's description. The first row contains the column names. */
export function writeResults(name: string, options: { what: string; rows: readonly (readonly string[])[] }): void {
  const [head = [], ...rows] = options.rows;
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const table = [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
  const machine = `${cores} cores, Node ${process.versions.node}, ${process.platform} ${process.arch}`;
  const text = `# ${name}\n\n${options.what}\n\n${machine}, everything on the one machine.\n\n${table}\n`;
  process.stdout.write(text);
  const folder = join(import.meta.dirname, "results");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.md`), text);
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** share: 0.99 for the 99th percentile, by nearest rank. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}
