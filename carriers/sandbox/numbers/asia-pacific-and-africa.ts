import { address, company, type CountryStock, identity, localAddress } from "./country-stock.ts";

export const asiaPacificAndAfrica = {
  IN: {
    local: {
      areas: [
        ["22 6xxxxxxx", "Mumbai", "Maharashtra"],
        ["11 4xxxxxxx", "New Delhi", "Delhi"],
        ["80 4xxxxxxx", "Bengaluru", "Karnataka"],
        ["40 4xxxxxxx", "Hyderabad", "Telangana"],
        ["44 4xxxxxxx", "Chennai", "Tamil Nadu"],
        ["33 4xxxxxxx", "Kolkata", "West Bengal"],
        ["20 6xxxxxxx", "Pune", "Maharashtra"],
      ],
      monthlyCostMicros: 4_500_000,
      always: ["voice"],
      requirement: company("India", "GSTIN"),
    },
  },
  JP: {
    local: {
      areas: [
        ["3 4xxxxxxx", "Tokyo", "Tokyo"],
        ["6 4xxxxxxx", "Osaka", "Osaka"],
        ["52 4xxxxxx", "Nagoya", "Aichi"],
        ["45 4xxxxxx", "Yokohama", "Kanagawa"],
        ["92 4xxxxxx", "Fukuoka", "Fukuoka"],
        ["11 3xxxxxx", "Sapporo", "Hokkaido"],
        ["75 3xxxxxx", "Kyoto", "Kyoto"],
      ],
      monthlyCostMicros: 4_500_000,
      always: ["voice"],
      requirement: company("Japan", "tokibo"),
    },
    tollFree: {
      areas: "120 9xxxxx",
      monthlyCostMicros: 25_000_000,
      always: ["voice"],
      requirement: company("Japan", "tokibo"),
    },
  },
  AU: {
    local: {
      areas: [
        ["2 5550xxxx", "Sydney", "New South Wales"],
        ["3 5550xxxx", "Melbourne", "Victoria"],
        ["7 5550xxxx", "Brisbane", "Queensland"],
        ["8 5550xxxx", "Adelaide", "South Australia"],
      ],
      monthlyCostMicros: 3_000_000,
      always: ["voice"],
      some: ["fax"],
      requirement: address("Australia"),
    },
    mobile: {
      areas: "491 5701xx",
      monthlyCostMicros: 6_500_000,
      always: ["voice", "sms"],
      some: ["mms"],
      requirement: address("Australia"),
    },
  },
  NZ: {
    local: {
      areas: [
        ["9 887xxxx", "Auckland", "Auckland"],
        ["4 887xxxx", "Wellington", "Wellington"],
        ["3 668xxxx", "Christchurch", "Canterbury"],
        ["7 808xxxx", "Hamilton", "Waikato"],
        ["3 425xxxx", "Dunedin", "Otago"],
      ],
      monthlyCostMicros: 3_150_000,
      always: ["voice"],
      some: ["fax"],
      requirement: address("New Zealand"),
    },
  },
  SG: {
    local: {
      areas: [
        ["31 58xxxx", "Singapore", "Singapore"],
        ["66 81xxxx", "Singapore", "Singapore"],
        ["68 17xxxx", "Singapore", "Singapore"],
      ],
      monthlyCostMicros: 3_000_000,
      always: ["voice"],
      some: ["sms"],
      requirement: identity("Singapore"),
    },
  },
  HK: {
    local: {
      areas: [
        ["58 03xxxx", "Hong Kong", "Hong Kong"],
        ["37 03xxxx", "Hong Kong", "Hong Kong"],
        ["34 69xxxx", "Hong Kong", "Hong Kong"],
      ],
      monthlyCostMicros: 5_000_000,
      always: ["voice"],
      some: ["sms"],
    },
  },
  IL: {
    local: {
      areas: [
        ["3 376xxxx", "Tel Aviv-Yafo", "Tel Aviv"],
        ["2 376xxxx", "Jerusalem", "Jerusalem"],
        ["4 376xxxx", "Haifa", "Haifa"],
        ["8 376xxxx", "Be’er Sheva", "Southern"],
        ["9 376xxxx", "Herzliya", "Tel Aviv"],
      ],
      monthlyCostMicros: 3_400_000,
      always: ["voice"],
      some: ["sms"],
    },
  },
  ZA: {
    local: {
      areas: [
        ["10 500xxxx", "Johannesburg", "Gauteng"],
        ["21 300xxxx", "Cape Town", "Western Cape"],
        ["31 100xxxx", "Durban", "KwaZulu-Natal"],
        ["12 943xxxx", "Pretoria", "Gauteng"],
        ["41 811xxxx", "Gqeberha", "Eastern Cape"],
      ],
      monthlyCostMicros: 2_250_000,
      always: ["voice"],
      some: ["fax"],
      requirement: localAddress("South Africa"),
    },
  },
} as const satisfies Record<string, CountryStock>;
