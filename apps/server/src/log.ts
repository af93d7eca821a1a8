import pino from "pino";

export type Log = pino.Logger;

/** JSON lines in UTC. Removes anything that could sign someone in, or that describes media paths. */
export function createLog(
  level: string,
  destination: pino.DestinationStream = pino.destination({ dest: 2, sync: false }),
): Log {
  const secrets = [
    "authorization",
    "cookie",
    "password",
    "currentPassword",
    "refreshToken",
    "token",
    "accessToken",
    "codeVerifier",
    "sdp",
    "offer",
    "answer",
    "proof",
    "idToken",
  ];
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: secrets.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: "[redacted]" },
    },
    destination,
  );
}
