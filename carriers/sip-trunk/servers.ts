import { z } from "zod";

const maxServers = 4;
const isPlace = /^(\[[0-9a-fA-F:]+\]|[A-Za-z0-9.-]+)(:\d{1,5})?$/;

/** As an owner types them, preferred first: names or IP addresses, optionally with ports. */
export const serversIn = (typed: string): string[] =>
  typed
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "");

function whyNoServer(given: string): string | null {
  if (!isPlace.test(given)) {
    const commas = /[\s;]/.test(given) ? " Separate several with commas." : "";
    return `Enter a name or an IP address, with :port if you were given one.${commas}`;
  }
  const port = /:(\d+)$/.exec(given)?.[1];
  const hasPort = port === undefined || (Number(port) >= 1 && Number(port) <= 65_535);
  return hasPort ? null : "A port is a number from 1 to 65535.";
}

/** One server, or several separated by commas. */
export const servers = z
  .string()
  .overwrite((typed) => serversIn(typed).join(", "))
  .superRefine((given, context) => {
    const all = given.split(", ");
    if (all.length > maxServers) context.addIssue(`Enter at most ${maxServers} servers.`);
    else
      for (const each of all) {
        const why = whyNoServer(each);
        if (why !== null) context.addIssue(all.length === 1 ? why : `${each}: ${why}`);
      }
  });
