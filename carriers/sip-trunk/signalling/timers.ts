import { Timers } from "sip.js/lib/core/index.js";

import { t1Ms } from "../transport/retransmissions.ts";

/**
 * SIP.js deletes a transaction as soon as it completes, as for reliable transports. Over UDP, late and repeated
 * messages must still find it (RFC 3261, table 4). Keeping it longer does no harm over TCP and TLS.
 */
export function keepTransactionsForUdp(): void {
  Timers.TIMER_D = 64 * t1Ms;
  Timers.TIMER_I = 5_000;
  Timers.TIMER_J = 64 * t1Ms;
  Timers.TIMER_K = 5_000;
}
