import { describeCrmConformance } from "@leadline/adapter-kit/crm-conformance";
import { crm } from "./server.ts";
import { openAgainstSandbox } from "./testing/open-against-sandbox.ts";

describeCrmConformance(crm.name, openAgainstSandbox);
