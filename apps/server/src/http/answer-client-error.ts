import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { Problem } from "./problem.ts";

/** For an Expect header that isn't 100-continue (RFC 9110, section 10.1.1). */
export const unknownExpectation = "UNKNOWN_EXPECTATION";

/**
 * When Node's HTTP parser refuses something, there is no request yet: writes the problem to the connection and closes
 * it.
 */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket, headers: Record<string, string>): void {
  if (error.code !== "ECONNRESET" && socket.writable) socket.write(written(problemOf(error.code), headers));
  socket.destroy();
}

function problemOf(code: string | undefined): Problem {
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") {
    return new Problem("request-timeout", "The request took too long to arrive. Send it again.");
  }
  if (code === "HPE_HEADER_OVERFLOW") {
    return new Problem("headers-too-large", "The address and headers are too long. Shorten them.");
  }
  if (code === unknownExpectation)
    return new Problem("malformed-request", "This Expect header isn’t supported. Send the request without it.");
  return new Problem("malformed-request", "The request isn’t valid HTTP.");
}

function written(problem: Problem, headers: Record<string, string>): string {
  const body = JSON.stringify(problem.toDocument());
  const all = {
    ...headers,
    "content-type": "application/problem+json",
    "content-length": Buffer.byteLength(body),
    "cache-control": "no-store",
    connection: "close",
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\n${lines.join("")}\r\n${body}`;
}
