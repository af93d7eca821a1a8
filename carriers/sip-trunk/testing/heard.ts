interface Reply {
  headers?: readonly string[];
  body?: string;
  /** The source address that it saw, if it differs from the request's. */
  received?: string;
}

/** A received message, in a form for tests. Parsed by hand, so that it shares no code with what is tested. */
export interface Heard {
  /** The method of a request ("INVITE"), or the status of a response ("200"). */
  what: string;
  text: string;
  body: string;
  atMs: number;
  /** All headers of that name. */
  headers(name: string): string[];
  header(name: string): string | undefined;
  /** Responds the way it came, with a tag of our own if the request has none. */
  reply(status: number, options?: Reply): void;
  /** Closes the connection that it arrived on. */
  hangUp(): void;
}

export function readHeard(text: string, send: (text: string) => void, hangUp: () => void): Heard {
  const end = text.indexOf("\r\n\r\n");
  const lines = (end < 0 ? text : text.slice(0, end)).split("\r\n");
  const [start = ""] = lines;
  const headers = (name: string): string[] =>
    lines
      .filter((line) => line.toLowerCase().startsWith(`${name.toLowerCase()}:`))
      .map((line) => line.slice(name.length + 1).trim());
  const header = (name: string): string | undefined => headers(name)[0];
  return {
    what: /^SIP\/2\.0 (\d+)/.exec(start)?.[1] ?? start.split(" ")[0] ?? "",
    text,
    body: end < 0 ? "" : text.slice(end + 4),
    atMs: performance.now(),
    headers,
    header,
    reply(status, { headers: more = [], body = "", received } = {}) {
      const to = header("to") ?? "";
      const seen = received === undefined ? "" : `;received=${received}`;
      const reply = [
        `SIP/2.0 ${status} Said`,
        ...headers("via").map((via) => `Via: ${via}${seen}`),
        `From: ${header("from")}`,
        `To: ${to}${status > 100 && !/;tag=/.test(to) ? ";tag=peer" : ""}`,
        `Call-ID: ${header("call-id")}`,
        `CSeq: ${header("cseq")}`,
        ...more,
        ...(body === "" ? [] : ["Content-Type: application/sdp"]),
        `Content-Length: ${body.length}`,
      ];
      send(`${reply.join("\r\n")}\r\n\r\n${body}`);
    },
    hangUp,
  };
}
