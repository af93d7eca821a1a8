export type SipProtocol = "UDP" | "TCP" | "TLS";

/** One address to which messages can be sent. */
export interface SipTarget {
  protocol: SipProtocol;
  /** An IP address. */
  address: string;
  port: number;
  /** The name that a certificate must contain: what was looked up, never what DNS returned (RFC 5922, section 4). */
  serverName: string;
}

export const defaultPort = (protocol: SipProtocol): number => (protocol === "TLS" ? 5061 : 5060);

export const targetKey = ({ protocol, address, port }: Omit<SipTarget, "serverName">): string =>
  `${protocol} ${address} ${port}`;
