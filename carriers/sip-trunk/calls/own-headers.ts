interface Message {
  headers: object;
  getHeader(name: string): string | undefined;
}

/** The carrier's own headers, those that begin with x-, in lower case and with - for _, as the SIP library writes them. */
export const ownHeaders = (message: Message): Record<string, string> =>
  Object.fromEntries(
    Object.keys(message.headers)
      .filter((name) => /^x-/i.test(name))
      .map((name) => [name.toLowerCase(), message.getHeader(name) ?? ""]),
  );
