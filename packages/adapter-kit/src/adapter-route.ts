/** A request from outside to one of an adapter's routes. */
export interface AdapterRequest {
  /** A HEAD request arrives as GET; the server drops the body of the answer. */
  method: "GET" | "POST";
  /** Path below the adapter's own, and query. */
  url: string;
  /** The whole address as its sender knows it, for signatures that cover it. */
  address: string;
  /** By lower-case name. `host` is the one that the sender used, also behind a trusted proxy. */
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The bytes as they arrived: signatures cover them. */
  body: Buffer;
}

export interface AdapterAnswer {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string;
}

/**
 * Raw HTTP that a vendor, or a browser that a vendor sends here, speaks with an adapter: webhooks, consent and checkout pages.
 * Leadline's own API never goes this way. Everything is served below one path for each adapter.
 */
export interface AdapterRoute {
  methods: readonly AdapterRequest["method"][];
  /** Begins with a slash; `*` at the end matches anything. */
  path: string;
  /**
   * browser: a page that anyone can open, so each network may open a limited number. service: another server's notification; nothing
   * limits it, so verify its signature before any other work. A rejection is answered with 500, and the sender tries again.
   */
  caller: "browser" | "service";
  answer(request: AdapterRequest): AdapterAnswer | Promise<AdapterAnswer>;
}
