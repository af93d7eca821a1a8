/** The database does not answer; nothing was acknowledged, and the caller may try again. */
export class DatabaseUnreachable extends Error {
  override name = "DatabaseUnreachable";
  constructor(options: { cause: unknown }) {
    super("the database cannot be reached", options);
  }
}

/** 57P01–57P03: the server is stopping, crashed or starting. 08…: connection exceptions. 53300: no connection left. */
const serverGone = /^(57P0[123]|08...|53300)$/;
const socketGone = new Set(["ECONNREFUSED", "ECONNRESET", "EPIPE", "ETIMEDOUT", "ENOTFOUND", "EHOSTUNREACH"]);
/** Of a Unix socket: it is gone, or its queue is full. Elsewhere these two mean something else. */
const notConnected = new Set(["ENOENT", "EAGAIN"]);

export function isConnectionError(error: unknown): boolean {
  if (error instanceof DatabaseUnreachable) return true;
  if (!(error instanceof Error)) return false;
  const code = "code" in error ? String(error.code) : "";
  const connecting = "syscall" in error && error.syscall === "connect";
  // The driver has no code for these two.
  const driver =
    /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect)/;
  return (
    serverGone.test(code) ||
    socketGone.has(code) ||
    (connecting && notConnected.has(code)) ||
    driver.test(error.message)
  );
}

/** What is thrown on: the error itself, or that the database is away where that is what it says. */
export const orUnreachable = (error: unknown): unknown =>
  isConnectionError(error) ? new DatabaseUnreachable({ cause: error }) : error;
