/** The database can't be reached; nothing was committed as far as we know, and the caller may retry. */
export class DatabaseUnreachable extends Error {
  override name = "DatabaseUnreachable";
  constructor(options: { cause: unknown }) {
    super("the database cannot be reached", options);
  }
}

/**
 * 57P01–57P03: the server is stopping, has crashed or is starting. 08…: connection exceptions. 53300: too many
 * connections.
 */
const serverGone = /^(57P0[123]|08...|53300)$/;
const socketGone = new Set(["ECONNREFUSED", "ECONNRESET", "EPIPE", "ETIMEDOUT", "ENOTFOUND", "EHOSTUNREACH"]);
/** On a Unix socket: it is gone, or its queue is full. Elsewhere these two codes mean something else. */
const notConnected = new Set(["ENOENT", "EAGAIN"]);

export function isConnectionError(error: unknown): boolean {
  if (error instanceof DatabaseUnreachable) return true;
  if (!(error instanceof Error)) return false;
  const code = "code" in error ? String(error.code) : "";
  const connecting = "syscall" in error && error.syscall === "connect";
  // The driver gives these two errors no code.
  const driver =
    /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect)/;
  return (
    serverGone.test(code) ||
    socketGone.has(code) ||
    (connecting && notConnected.has(code)) ||
    driver.test(error.message)
  );
}

/** Returns what to throw: DatabaseUnreachable if the error means that, otherwise the error itself. */
export const orUnreachable = (error: unknown): unknown =>
  isConnectionError(error) ? new DatabaseUnreachable({ cause: error }) : error;
