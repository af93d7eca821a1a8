/** A request from outside to one of an adapter's routes. */
export interface AdapterRequest {
  /** A HEAD request arrives as GET; the server drops the body of the answer. */
  method: "GET" | "POST";
  /** The path below the adapter's own path, and the query. */
  url: string;
  /** The full address as the sender knows it, for signatures that cover it. */
  address: string;
  /** By lower-case name. `host` is what the sender used, even behind a trusted proxy. */
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The raw bytes, because signatures cover them. */
  body: Buffer;
}

export interface AdapterAnswer {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string;
}

/**
 * Raw HTTP between an adapter and its vendor, or a browser that the vendor sent here: webhooks, consent and checkout
 * pages. Leadline's own API isn't served this way. Each adapter has one path prefix.
 */
export interface AdapterRoute {
  methods: readonly AdapterRequest["method"][];
  /** Starts with a slash. `*` at the end matches anything. */
  path: string;
  /**
   * browser: a page that anyone can open, so each network may open a limited number. service: another server's notification; nothing
   * limits it, so verify its signature before any other work. A rejection is answered with 500, and the sender tries again.
   */
  caller: "browser" | "service";
  answer(request: AdapterRequest): AdapterAnswer | Promise<AdapterAnswer>;
}
