import { address, company, type CountryStock, identity, localAddress } from "./country-stock.ts";

export const northernAndEasternEurope = {
  SE: {
    local: {
      areas: [
        ["8 465004xx", "Stockholm", "Stockholm County"],
        ["31 39006xx", "Gothenburg", "Västra Götaland"],
        ["40 62804xx", "Malmö", "Scania"],
        ["90 17340xx", "Umeå", "Västerbotten"],
        ["980 3192xx", "Kiruna", "Norrbotten"],
      ],
      monthlyCostMicros: 1_150_000,
      always: ["voice"],
      some: ["fax"],
      requirement: address("Sweden"),
    },
    mobile: {
      areas: "70 17406xx",
      monthlyCostMicros: 3_000_000,
      always: ["voice", "sms"],
      requirement: address("Sweden"),
    },
  },
  NO: {
    local: {
      areas: [
        ["21 9xxxxx", "Oslo", "Oslo"],
        ["55 6xxxxx", "Bergen", "Vestland"],
        ["73 6xxxxx", "Trondheim", "Trøndelag"],
        ["51 2xxxxx", "Stavanger", "Rogaland"],
        ["77 2xxxxx", "Tromsø", "Troms"],
      ],
      monthlyCostMicros: 2_500_000,
      always: ["voice"],
      some: ["fax"],
      requirement: address("Norway"),
    },
  },
  DK: {
    local: {
      areas: [
        ["32 7xxxxx", "Copenhagen", "Capital Region"],
        ["86 9xxxxx", "Aarhus", "Central Denmark"],
        ["65 7xxxxx", "Odense", "Southern Denmark"],
        ["98 9xxxxx", "Aalborg", "North Denmark"],
      ],
      monthlyCostMicros: 1_500_000,
      always: ["voice"],
      some: ["sms"],
      requirement: identity("Denmark"),
    },
  },
  FI: {
    local: {
      areas: [
        ["9 4245xxxx", "Helsinki", "Uusimaa"],
        ["3 4107xxxx", "Tampere", "Pirkanmaa"],
        ["2 4809xxxx", "Turku", "Southwest Finland"],
        ["8 4159xxxx", "Oulu", "North Ostrobothnia"],
      ],
      monthlyCostMicros: 3_500_000,
      always: ["voice"],
      requirement: address("Finland"),
    },
    mobile: {
      areas: "45 739xxxxx",
      monthlyCostMicros: 5_000_000,
      always: ["voice", "sms"],
      requirement: address("Finland"),
    },
  },
  EE: {
    local: {
      areas: [
        ["6 68xxxx", "Tallinn", "Harju County"],
        ["7 12xxxx", "Tartu", "Tartu County"],
        ["4 42xxxx", "Pärnu", "Pärnu County"],
        ["3 32xxxx", "Narva", "Ida-Viru County"],
      ],
      monthlyCostMicros: 1_000_000,
      always: ["voice"],
      requirement: address("Estonia"),
    },
  },
  LT: {
    local: {
      areas: [
        ["5 214xxxx", "Vilnius", "Vilnius County"],
        ["37 21xxxx", "Kaunas", "Kaunas County"],
        ["46 21xxxx", "Klaipėda", "Klaipėda County"],
        ["41 52xxxx", "Šiauliai", "Šiauliai County"],
      ],
      monthlyCostMicros: 1_500_000,
      always: ["voice"],
      some: ["sms"],
      requirement: address("Lithuania"),
    },
  },
  PL: {
    local: {
      areas: [
        ["22 104xxxx", "Warsaw", "Masovia"],
        ["12 444xxxx", "Kraków", "Lesser Poland"],
        ["71 707xxxx", "Wrocław", "Lower Silesia"],
        ["61 225xxxx", "Poznań", "Greater Poland"],
        ["58 350xxxx", "Gdańsk", "Pomerania"],
        ["42 207xxxx", "Łódź", "Łódź Province"],
      ],
      monthlyCostMicros: 1_150_000,
      always: ["voice"],
      some: ["fax"],
      requirement: localAddress("Poland"),
    },
  },
  CZ: {
    local: {
      areas: [
        ["2 2888xxxx", "Prague", "Prague"],
        ["5 3888xxxx", "Brno", "South Moravia"],
        ["5 9688xxxx", "Ostrava", "Moravia-Silesia"],
        ["3 7188xxxx", "Plzeň", "Plzeň Region"],
      ],
      monthlyCostMicros: 1_500_000,
      always: ["voice"],
      some: ["fax"],
      requirement: address("Czechia"),
    },
  },
  HU: {
    local: {
      areas: [
        ["1 701xxxx", "Budapest", "Budapest"],
        ["52 30xxxx", "Debrecen", "Hajdú-Bihar"],
        ["62 30xxxx", "Szeged", "Csongrád-Csanád"],
        ["72 30xxxx", "Pécs", "Baranya"],
        ["96 30xxxx", "Győr", "Győr-Moson-Sopron"],
      ],
      monthlyCostMicros: 1_500_000,
      always: ["voice"],
      requirement: identity("Hungary"),
    },
  },
  RO: {
    local: {
      areas: [
        ["21 529xxxx", "Bucharest", "Bucharest"],
        ["364 70xxxx", "Cluj-Napoca", "Cluj"],
        ["356 70xxxx", "Timișoara", "Timiș"],
        ["332 70xxxx", "Iași", "Iași"],
        ["341 70xxxx", "Constanța", "Constanța"],
      ],
      monthlyCostMicros: 1_500_000,
      always: ["voice"],
      requirement: company("Romania", "CUI"),
    },
  },
  BG: {
    local: {
      areas: [
        ["2 492xxxx", "Sofia", "Sofia-Capital"],
        ["32 57xxxx", "Plovdiv", "Plovdiv"],
        ["52 91xxxx", "Varna", "Varna"],
        ["56 91xxxx", "Burgas", "Burgas"],
      ],
      monthlyCostMicros: 1_750_000,
      always: ["voice"],
      requirement: address("Bulgaria"),
    },
  },
  GR: {
    local: {
      areas: [
        ["21 1198xxxx", "Athens", "Attica"],
        ["231 118xxxx", "Thessaloniki", "Central Macedonia"],
        ["261 118xxxx", "Patras", "Western Greece"],
        ["281 118xxxx", "Heraklion", "Crete"],
      ],
      monthlyCostMicros: 1_750_000,
      always: ["voice"],
      requirement: identity("Greece"),
    },
  },
} as const satisfies Record<string, CountryStock>;
