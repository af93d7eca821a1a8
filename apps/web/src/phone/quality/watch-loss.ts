import type { CallDriver } from "../drivers/call-driver.ts";

const lookEveryMs = 300;
/** A call's audio arrives in packets of 20 ms, even during silence. */
const stalledMs = 1_000;
/** Far ends that send nothing during silence must not make every page ask the server every second. */
const askAgainMs = 5_000;

interface WatchLoss {
  driver: Pick<CallDriver, "readSound" | "connectionId">;
  /** Both sides hear each other, so packets should arrive. */
  expectsSound: () => boolean;
  isStreamLost: () => boolean;
  /** Whether the server responds. */
  asksServer: () => Promise<boolean>;
  onChange: (lost: boolean) => void;
}

/**
 * Notices that the server is gone long before ICE does (5 to 7 s): the audio has stopped, and the event stream has
 * broken or the server doesn't respond. The audio alone may stop for other reasons, and continues on rtpengines.
 */
export function watchLoss({ driver, expectsSound, isStreamLost, asksServer, onChange }: WatchLoss): () => void {
  let connectionId = driver.connectionId();
  let packets = -1;
  let flowedAtMs = performance.now();
  let askedAtMs = -Infinity;
  let serverGone = false;
  let lost = false;
  let looking = false;
  let stopped = false;

  function report(next: boolean): void {
    if (stopped || next === lost) return;
    lost = next;
    onChange(lost);
  }

  async function look(): Promise<void> {
    const reading = await driver.readSound().catch(() => null);
    // Without a connection, the driver itself reports that it is reconnecting.
    if (stopped || reading === null) return;
    const nowMs = performance.now();
    if (reading.packetsReceived !== packets || driver.connectionId() !== connectionId) {
      flowedAtMs = nowMs;
      serverGone = false;
    }
    connectionId = driver.connectionId();
    packets = reading.packetsReceived;
    const stalled = nowMs - flowedAtMs >= stalledMs;
    report(stalled && (isStreamLost() || serverGone));
    if (!stalled || isStreamLost() || !(serverGone || expectsSound())) return;
    if (nowMs - askedAtMs < (serverGone ? stalledMs : askAgainMs)) return;
    askedAtMs = nowMs;
    serverGone = !(await asksServer());
    report(serverGone || isStreamLost());
  }

  const timer = setInterval(() => {
    if (looking) return;
    looking = true;
    void look().finally(() => {
      looking = false;
    });
  }, lookEveryMs);
  return () => {
    stopped = true;
    clearInterval(timer);
  };
}
