import type { CarrierModule } from "@leadline/adapter-kit/carrier";

const perMinute = { connectionFeeMicros: 0, firstSeconds: 60, nextSeconds: 60 };

/** Rates for each billing increment, so that screens and limits have something to show. Nobody is charged. */
export const madeUpRates: NonNullable<CarrierModule["madeUpRates"]> = [
  { ...perMinute, prefix: "", description: "Sandbox, other countries", perMinuteMicros: 30_000 },
  { ...perMinute, prefix: "1", description: "Sandbox, North America", perMinuteMicros: 10_000 },
  {
    prefix: "44",
    description: "Sandbox, United Kingdom",
    perMinuteMicros: 20_000,
    connectionFeeMicros: 5_000,
    firstSeconds: 30,
    nextSeconds: 6,
  },
];
