import { once } from "node:events";
import { SMTPServer } from "smtp-server";

export interface ReceivedMail {
  from: string;
  to: string;
  /** Headers and body as received, with quoted-printable decoded. */
  text: string;
  /** The part after # in its first link. */
  token: string;
}

/** A real SMTP server on loopback. `onMail` is called with each mail received. */
export async function startMailServer(
  onMail: (mail: ReceivedMail) => void = () => {},
): Promise<{ url: string; received: ReceivedMail[]; close(): Promise<void> }> {
  const received: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS", "AUTH"],
    logger: false,
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const text = Buffer.concat(chunks).toString("utf8").replaceAll("=\r\n", "").replaceAll("=3D", "=");
        const { mailFrom, rcptTo } = session.envelope;
        const from = mailFrom === false ? "" : mailFrom.address;
        const token = /https?:\/\/\S+?#([\w-]+)/.exec(text)?.[1] ?? "";
        for (const { address } of rcptTo) {
          const mail = { from, to: address, text, token };
          received.push(mail);
          onMail(mail);
        }
        done();
      });
    },
  });
  server.listen(0, "127.0.0.1");
  await once(server.server, "listening");
  const bound = server.server.address();
  const port = typeof bound === "object" && bound !== null ? bound.port : 0;
  return { url: `smtp://127.0.0.1:${port}`, received, close: () => new Promise((resolve) => server.close(resolve)) };
}
