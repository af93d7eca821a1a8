import { randomUUID } from "node:crypto";
import type { CarrierModule } from "@leadline/adapter-kit/carrier";
import { carrier as sandbox } from "@leadline/carrier-sandbox/server";
import { z } from "zod";

/** The sandbox's callees behind a carrier that an organisation connects and prices itself, like a trunk. */
export function sandboxLine(): { kind: string; line: CarrierModule } {
  const kind = `line-${randomUUID().slice(0, 8)}`;
  const settings = z.object({ line: z.string() });
  return { kind, line: { ...sandbox, id: kind, settings, open: () => sandbox.open({}) } };
}
