import type { Dialog, DialogState, IncomingResponseMessage, UserAgentClient } from "sip.js/lib/core/index.js";

/** What SIP.js keeps protected, under these names in version 0.21.2. */
interface ClientInternals {
  onRequestTimeout: () => void;
  receiveResponse: (message: IncomingResponseMessage) => void;
}

export const stateOf = (dialog: Dialog): DialogState => (dialog as unknown as { dialogState: DialogState }).dialogState;

/**
 * Prepares for a 408 that was received and doesn't answer an INVITE. The library would replace it by its own, which has
 * no Via and means that there was no response.
 */
export function takeTimeout(client: UserAgentClient, received: IncomingResponseMessage): void {
  const internals = client as unknown as ClientInternals;
  internals.onRequestTimeout = () => internals.receiveResponse(received);
}
