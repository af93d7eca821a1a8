import { createSocket } from "node:dgram";
import { once } from "node:events";

const host = "127.0.0.1";

/** A way to an rtpengine's control port on which tests can lose what is sent to it. */
export async function openLossyPath({ port }: { port: number }) {
  const [outer, inner] = [createSocket("udp4"), createSocket("udp4")];
  let clientPort = 0;
  let isLost: (datagram: Buffer) => boolean = () => false;
  outer.on("message", (datagram, from) => {
    clientPort = from.port;
    if (!isLost(datagram)) inner.send(datagram, port, host);
  });
  inner.on("message", (datagram) => outer.send(datagram, clientPort, host));
  outer.bind(0, host);
  await once(outer, "listening");
  return {
    host,
    port: outer.address().port,
    lose: (which: (datagram: Buffer) => boolean): void => void (isLost = which),
    loseCommand: (command: string): void =>
      void (isLost = (datagram) => datagram.includes(`7:command${command.length}:${command}`)),
    loseNothing: (): void => void (isLost = () => false),
    close(): void {
      outer.close();
      inner.close();
    },
  };
}
