import { peekHeader } from "./sip-text.ts";
import { tidyMessage } from "./tidy-message.ts";

const maxHeadBytes = 32_768;
const maxBodyBytes = 65_536;

/** The data isn't SIP, or exceeds any reasonable length: the connection is useless from here on. */
export class UnframedStream extends Error {
  override name = "UnframedStream";
}

/** Where the head ends and the body begins: some peers write no carriage returns, or only sometimes. */
function endOfHead(held: Buffer): [number, number] {
  const found = ["\n\r\n", "\n\n"].flatMap((end) => {
    const at = held.indexOf(end);
    return at < 0 ? [] : [[at, at + end.length] as const];
  });
  const [[end, bodyStart] = [-1, -1]] = found.toSorted(([one], [other]) => one - other);
  return [end, bodyStart];
}

/** Splits a stream into messages by their Content-Length (RFC 3261, section 18.3), without keep-alive line ends. */
export function createFrames(
  onMessage: (text: string) => void,
  onKeepAlive: () => void = () => {},
): (chunk: Buffer) => void {
  let held: Buffer = Buffer.alloc(0);

  function takeOne(): string | null {
    let start = 0;
    while (held[start] === 0x0d || held[start] === 0x0a) start++;
    if (held.toString("latin1", 0, 4) === "\r\n\r\n") onKeepAlive();
    held = held.subarray(start);
    const [headEnd, bodyStart] = endOfHead(held);
    if (headEnd > maxHeadBytes || (headEnd < 0 && held.length > maxHeadBytes))
      throw new UnframedStream("The connection does not carry SIP: no end of a header section was found.");
    if (headEnd < 0) return null;

    const length = Number(peekHeader(tidyMessage(held.toString("utf8", 0, headEnd)), "contentLength") ?? "0");
    if (!Number.isInteger(length) || length < 0 || length > maxBodyBytes)
      throw new UnframedStream("Its Content-Length can't be used.");
    const end = bodyStart + length;
    if (held.length < end) return null;
    const text = held.toString("utf8", 0, end);
    held = held.subarray(end);
    return text;
  }

  return (chunk) => {
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    for (let text = takeOne(); text !== null; text = takeOne()) onMessage(text);
  };
}
