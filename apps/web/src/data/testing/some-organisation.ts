import type { Organisation } from "@leadline/contract/organisations";

export const quay: Organisation = {
  id: "7d1b9e2e-5a0a-4c3e-9d57-0a4e7f6f3b11",
  name: "Quay",
  description: null,
  website: null,
  timeZone: "Europe/Berlin",
  defaultCountry: "DE",
  openingHours: [],
  callingHours: [],
  balance: 0,
  role: "owner",
};
