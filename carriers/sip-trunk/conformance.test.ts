import { describeCarrierConformance } from "@leadline/adapter-kit/carrier-conformance";
import { afterAll, beforeAll } from "vitest";

import { carrier } from "./server.ts";
import { settings, type TrunkSettings } from "./settings.ts";
import { account, number, openStage, type Stage, startCallees } from "./testing/start-callees.ts";

let stage: Stage;
let trunk: TrunkSettings;

beforeAll(async () => {
  stage = await openStage();
  const { port } = await stage.kamailio({ callees: await startCallees(stage) });
  trunk = settings.parse({ host: `127.0.0.1:${port}`, transport: "udp", authentication: "digest", ...account });
});
afterAll(() => stage.close());

describeCarrierConformance({
  name: carrier.name,
  capabilities: carrier.capabilities,
  open: () => carrier.open(trunk),
  numbers: {
    answers: number("00"),
    echoes: number("01"),
    busy: number("03"),
    noAnswer: number("04"),
    rejects: number("05"),
    networkFailure: number("06"),
    hangsUp: number("09"),
    holds: number("11"),
    menu: number("08"),
    takesOurPlace: number("10"),
  },
});
