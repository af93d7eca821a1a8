import { ProvisionerError } from "../provisioner.ts";
import { type Outbound, type OutboundResponse, OutboundError, type OutboundRequest } from "./open-outbound.ts";

export interface VendorResponse extends OutboundResponse {
  /** `text`, parsed. Null without content. */
  json: object | null;
}

/**
 * Sends a request to a vendor's API. Rejects with ProvisionerError if no response came, or one that can't be from the
 * API. An error status of the API is returned.
 */
export async function askVendor(outbound: Outbound, vendor: string, request: OutboundRequest): Promise<VendorResponse> {
  const answer = await outbound.send(request).catch((error: unknown) => {
    if (!(error instanceof OutboundError)) throw error;
    throw error.fault === "too-large" ? unreadable(vendor, error) : unreached(vendor, error);
  });
  return { ...answer, json: readJson(answer, vendor) };
}

const unreached = (vendor: string, cause: unknown): ProvisionerError =>
  new ProvisionerError("unreachable", `${vendor} can’t be reached from this server. Try again in a moment.`, { cause });

/** For a response that the API can't have sent, after which it is unknown whether the vendor got the request. */
export const unreadable = (vendor: string, cause?: unknown): ProvisionerError =>
  new ProvisionerError(
    "unreachable",
    `Leadline can’t read the response from ${vendor}’s address. ${vendor} may be under maintenance, or a proxy or firewall may have answered instead. Check how this server reaches the Internet, then try again.`,
    { cause },
  );

/** A proxy's login page comes with any status. An overloaded server's page has a status that says enough. */
function readJson({ status, text }: OutboundResponse, vendor: string): object | null {
  const isOverloaded = status === 429 || status >= 500;
  if (text.trim() === "") {
    if (status === 204 || status >= 400) return null;
    throw unreadable(vendor);
  }
  const json = status >= 300 && status < 400 ? null : parse(text);
  if (json === null && !isOverloaded) throw unreadable(vendor);
  return json;
}

function parse(text: string): object | null {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === "object" ? parsed : null;
  } catch {
    return null;
  }
}
