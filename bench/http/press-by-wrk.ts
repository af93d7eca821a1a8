import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { press } from "./press.ts";

/**
 * Responses per second to wrk (Debian's package), which uses as little of the processors as pgbench does; to our own
 * client if it isn't installed. Throws on any response but 2xx or 3xx.
 */
export async function pressByWrk(
  url: URL,
  options: { connections: number; seconds: number; headers: Record<string, string> },
): Promise<{ perSecond: number; by: "wrk" | "undici" }> {
  const { connections, seconds, headers } = options;
  const named = Object.entries(headers).flatMap(([name, value]) => ["-H", `${name}: ${value}`]);
  try {
    const { stdout } = await promisify(execFile)("wrk", [
      "-t1",
      `-c${connections}`,
      `-d${seconds}s`,
      ...named,
      url.href,
    ]);
    const failed = /Socket errors.*|Non-2xx.*/.exec(stdout)?.[0];
    if (failed !== undefined) throw new Error(`${url.pathname}: ${failed}`);
    return { perSecond: Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1] ?? Number.NaN), by: "wrk" };
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
    const { perSecond } = await press(url, { connections, ms: seconds * 1000, headers });
    return { perSecond, by: "undici" };
  }
}
