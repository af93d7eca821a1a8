import { runEvery } from "../../run-every.ts";
import { type NgAnswer, type NgRequest, NodeSilent, openNgClient } from "./ng-client.ts";

export interface NodeAddress {
  host: string;
  port: number;
}

interface Log {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
}

const lookEveryMs = 1_000;

export interface MediaNode {
  /** As configured. */
  readonly name: string;
  /** The address at which it reaches this machine. */
  readonly ourAddress: string;
  ask(command: string, given?: NgRequest): Promise<NgAnswer>;
  isAway(): boolean;
}

interface Kept extends MediaNode {
  /** Its own count at the last check, plus what has been opened since. */
  sessions: number;
  /** Counts up over all nodes; 0: never. */
  lastChosen: number;
  look(): Promise<void>;
  close(): void;
}

const nameOf = ({ host, port }: NodeAddress): string => `udp:${host.includes(":") ? `[${host}]` : host}:${port}`;

/**
 * The configured rtpengines. Each is asked for its session count every second. One that doesn't reply within 3 s is
 * away: onAway is called once, and it is used again as soon as it replies. Any other unanswered command fails alone.
 */
export async function openMediaPool(
  addresses: readonly NodeAddress[],
  options: { log: Log; onAway: (node: MediaNode) => void; lookEveryMs?: number },
) {
  const { log } = options;
  let choices = 0;
  const nodes = await Promise.all(addresses.map(keep));
  await Promise.all(nodes.map((node) => node.look()));
  const stopLooking = runEvery(() => Promise.all(nodes.map((node) => node.look())), {
    everyMs: options.lookEveryMs ?? lookEveryMs,
    onError: (error) => log.warn({ err: error }, "the rtpengines could not be asked for their sessions"),
  });

  async function keep(address: NodeAddress): Promise<Kept> {
    const client = await openNgClient(address);
    const name = nameOf(address);
    let away = false;
    let closed = false;

    const node: Kept = {
      name,
      ourAddress: client.ourAddress,
      ask: client.ask,
      sessions: 0,
      lastChosen: 0,
      isAway: () => away,
      async look() {
        try {
          node.sessions = sessionsIn(await client.ask("statistics"));
          if (away) log.info({ node: name }, "an rtpengine is responding again");
          away = false;
        } catch (error) {
          if (away || closed || !(error instanceof NodeSilent)) return;
          away = true;
          log.warn({ node: name }, "an rtpengine is not responding; its calls end, and new ones use another");
          options.onAway(node);
        }
      },
      close() {
        closed = true;
        client.close();
      },
    };
    return node;
  }

  return {
    /**
     * The responding one with the fewest sessions; null if there is none. Of several, the one that was chosen least
     * recently: a count that was asked for before may lack what was opened since.
     */
    choose({ except }: { except: ReadonlySet<MediaNode> }): MediaNode | null {
      const there = nodes.filter((node) => !node.isAway() && !except.has(node));
      const [least] = there.toSorted((a, b) => a.sessions - b.sessions || a.lastChosen - b.lastChosen);
      if (!least) return null;
      least.sessions++;
      least.lastChosen = ++choices;
      return least;
    },
    /** Whether any of them responds. */
    answers: (): boolean => nodes.some((node) => !node.isAway()),
    /** Null if it is away or not in this pool. */
    find: (name: string): MediaNode | null => nodes.find((node) => node.name === name && !node.isAway()) ?? null,
    close(): void {
      void stopLooking();
      for (const node of nodes) node.close();
    },
  };
}

/** statistics.currentstatistics.sessionstotal, in every version since 6. */
function sessionsIn(answer: NgAnswer): number {
  const counted = at(at(at(answer, "statistics"), "currentstatistics"), "sessionstotal");
  return Number(counted ?? 0);
}

function at(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null ? Object.entries(value).find(([name]) => name === key)?.[1] : null;
}
