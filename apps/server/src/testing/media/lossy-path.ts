import { createSocket } from "node:dgram";
import { once } from "node:events";

const host = "127.0.0.1";

const isCommand =
  (command: string) =>
  (datagram: Buffer): boolean =>
    datagram.includes(`7:command${command.length}:${command}`);

/** A path to an rtpengine's control port on which tests can lose packets. */
export async function openLossyPath({ port }: { port: number }) {
  const [outer, inner] = [createSocket("udp4"), createSocket("udp4")];
  let clientPort = 0;
  let isLost: (datagram: Buffer) => boolean = () => false;
  let isUnanswered: typeof isLost = () => false;
  const unanswered = new Set<string>();
  const cookieOf = (datagram: Buffer): string => datagram.toString("latin1", 0, datagram.indexOf(" "));
  outer.on("message", (datagram, from) => {
    clientPort = from.port;
    if (isUnanswered(datagram)) unanswered.add(cookieOf(datagram));
    if (!isLost(datagram)) inner.send(datagram, port, host);
  });
  inner.on("message", (datagram) => {
    if (!unanswered.has(cookieOf(datagram))) outer.send(datagram, clientPort, host);
  });
  outer.bind(0, host);
  await once(outer, "listening");
  return {
    host,
    port: outer.address().port,
    lose: (which: (datagram: Buffer) => boolean): void => void (isLost = which),
    loseCommand: (command: string): void => void (isLost = isCommand(command)),
    /** The rtpengine carries the command out, and its reply is lost. */
    loseAnswerTo: (command: string): void => void (isUnanswered = isCommand(command)),
    loseNothing: (): void => void (isLost = isUnanswered = () => false),
    close(): void {
      outer.close();
      inner.close();
    },
  };
}
