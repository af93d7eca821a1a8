import { Timers } from "sip.js/lib/core/index.js";

import { t1Ms } from "../transport/retransmissions.ts";

/**
 * SIP.js forgets a transaction as soon as it is complete, as reliable transports allow. Over UDP what comes late, or again,
 * must still find it (RFC 3261, table 4). The longer memory does no harm to TCP and TLS.
 */
export function keepTransactionsForUdp(): void {
  Timers.TIMER_D = 64 * t1Ms;
  Timers.TIMER_I = 5_000;
  Timers.TIMER_J = 64 * t1Ms;
  Timers.TIMER_K = 5_000;
}
