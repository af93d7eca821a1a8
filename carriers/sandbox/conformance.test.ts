import { describeCarrierConformance } from "@leadline/adapter-kit/carrier-conformance";

import { countriesServed } from "./numbers/countries-served.ts";
import { carrier } from "./server.ts";

describeCarrierConformance({
  name: carrier.name,
  capabilities: carrier.capabilities,
  open: () => carrier.open({}),
  numbers: {
    answers: "+12025550100",
    echoes: "+12025550101",
    busy: "+12025550103",
    noAnswer: "+12025550104",
    rejects: "+12025550105",
    networkFailure: "+12025550106",
    hangsUp: "+12025550109",
    holds: "+12025550110",
    menu: "+12025550108",
    takesOurPlace: "+12025550100",
  },
  selling: { countries: [...countriesServed.keys()], unknownCountry: "AQ" },
});
