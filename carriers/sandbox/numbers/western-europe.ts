import { address, company, type CountryStock, identity, localAddress } from "./country-stock.ts";

export const westernEurope = {
  GB: {
    local: {
      areas: [
        ["20 79460xxx", "London", "Greater London"],
        ["161 4960xxx", "Manchester", "Greater Manchester"],
        ["121 4960xxx", "Birmingham", "West Midlands"],
        ["131 4960xxx", "Edinburgh", "Scotland"],
        ["141 4960xxx", "Glasgow", "Scotland"],
        ["113 4960xxx", "Leeds", "West Yorkshire"],
        ["117 4960xxx", "Bristol", "South West England"],
        ["151 4960xxx", "Liverpool", "Merseyside"],
        ["114 4960xxx", "Sheffield", "South Yorkshire"],
        ["191 4980xxx", "Newcastle upon Tyne", "Tyne and Wear"],
        ["29 20180xxx", "Cardiff", "Wales"],
        ["28 96496xxx", "Belfast", "Northern Ireland"],
      ],
      monthlyCostMicros: 1_150_000,
      always: ["voice"],
      some: ["fax", "sms"],
      requirement: address("The United Kingdom"),
    },
    mobile: {
      areas: "7400 xxxxxx",
      monthlyCostMicros: 1_150_000,
      always: ["voice", "sms"],
      requirement: address("The United Kingdom"),
    },
    tollFree: {
      areas: "808 157xxxx",
      monthlyCostMicros: 2_150_000,
      always: ["voice"],
      requirement: address("The United Kingdom"),
    },
  },
  IE: {
    local: {
      areas: [
        ["1 5xxxxxx", "Dublin", "Leinster"],
        ["21 2xxxxxx", "Cork", "Munster"],
        ["91 39xxxx", "Galway", "Connacht"],
        ["61 53xxxx", "Limerick", "Munster"],
        ["51 34xxxx", "Waterford", "Munster"],
      ],
      monthlyCostMicros: 1_500_000,
      always: ["voice"],
      some: ["fax"],
      requirement: localAddress("Ireland"),
    },
  },
  DE: {
    local: {
      areas: [
        ["30 23125xxx", "Berlin", "Berlin"],
        ["40 66969xxx", "Hamburg", "Hamburg"],
        ["89 99998xxx", "Munich", "Bavaria"],
        ["221 4710xxx", "Cologne", "North Rhine-Westphalia"],
        ["69 90009xxx", "Frankfurt am Main", "Hesse"],
      ],
      monthlyCostMicros: 1_150_000,
      always: ["voice"],
      some: ["fax"],
      requirement: localAddress("Germany"),
    },
    mobile: {
      areas: "1522 88173xx",
      monthlyCostMicros: 6_000_000,
      always: ["voice", "sms"],
      requirement: address("Germany"),
    },
  },
  FR: {
    local: {
      areas: [
        ["1 9900xxxx", "Paris", "Île-de-France"],
        ["2 6191xxxx", "Nantes", "Pays de la Loire"],
        ["3 5301xxxx", "Strasbourg", "Grand Est"],
        ["4 6571xxxx", "Lyon", "Auvergne-Rhône-Alpes"],
        ["5 3649xxxx", "Bordeaux", "Nouvelle-Aquitaine"],
      ],
      monthlyCostMicros: 1_150_000,
      always: ["voice"],
      some: ["fax"],
      requirement: company("France", "SIREN"),
    },
  },
  NL: {
    local: {
      areas: [
        ["20 2xxxxxx", "Amsterdam", "North Holland"],
        ["10 2xxxxxx", "Rotterdam", "South Holland"],
        ["70 2xxxxxx", "The Hague", "South Holland"],
        ["30 2xxxxxx", "Utrecht", "Utrecht"],
        ["40 2xxxxxx", "Eindhoven", "North Brabant"],
        ["50 2xxxxxx", "Groningen", "Groningen"],
      ],
      monthlyCostMicros: 1_500_000,
      always: ["voice"],
      some: ["fax"],
      requirement: localAddress("The Netherlands"),
    },
    mobile: {
      areas: "6 8xxxxxxx",
      monthlyCostMicros: 6_000_000,
      always: ["voice", "sms"],
      requirement: address("The Netherlands"),
    },
  },
  BE: {
    local: {
      areas: [
        ["2 588xxxx", "Brussels", "Brussels-Capital"],
        ["3 808xxxx", "Antwerp", "Flanders"],
        ["9 298xxxx", "Ghent", "Flanders"],
        ["4 268xxxx", "Liège", "Wallonia"],
        ["71 96xxxx", "Charleroi", "Wallonia"],
      ],
      monthlyCostMicros: 1_500_000,
      always: ["voice"],
      some: ["fax"],
      requirement: localAddress("Belgium"),
    },
  },
  LU: {
    local: {
      areas: [
        ["26 48xxxx", "Luxembourg", "Luxembourg"],
        ["26 54xxxx", "Esch-sur-Alzette", "Esch-sur-Alzette"],
        ["26 81xxxx", "Ettelbruck", "Diekirch"],
      ],
      monthlyCostMicros: 3_000_000,
      always: ["voice"],
      requirement: address("Luxembourg"),
    },
  },
  CH: {
    local: {
      areas: [
        ["44 505xxxx", "Zürich", "Zürich"],
        ["22 518xxxx", "Geneva", "Geneva"],
        ["61 588xxxx", "Basel", "Basel-Stadt"],
        ["31 528xxxx", "Bern", "Bern"],
        ["21 588xxxx", "Lausanne", "Vaud"],
        ["91 228xxxx", "Lugano", "Ticino"],
      ],
      monthlyCostMicros: 1_500_000,
      always: ["voice"],
      some: ["fax"],
      requirement: localAddress("Switzerland"),
    },
  },
  AT: {
    local: {
      areas: [
        ["1 205xxxx", "Vienna", "Vienna"],
        ["316 22xxxx", "Graz", "Styria"],
        ["732 22xxxx", "Linz", "Upper Austria"],
        ["662 23xxxx", "Salzburg", "Salzburg"],
        ["512 21xxxx", "Innsbruck", "Tyrol"],
      ],
      monthlyCostMicros: 1_500_000,
      always: ["voice"],
      some: ["fax"],
      requirement: localAddress("Austria"),
    },
  },
  ES: {
    local: {
      areas: [
        ["91 198xxxx", "Madrid", "Community of Madrid"],
        ["93 220xxxx", "Barcelona", "Catalonia"],
        ["96 205xxxx", "Valencia", "Valencian Community"],
        ["95 520xxxx", "Seville", "Andalusia"],
        ["94 405xxxx", "Bilbao", "Basque Country"],
        ["97 620xxxx", "Zaragoza", "Aragon"],
      ],
      monthlyCostMicros: 1_500_000,
      always: ["voice"],
      some: ["fax"],
      requirement: identity("Spain"),
    },
  },
  PT: {
    local: {
      areas: [
        ["21 020xxxx", "Lisbon", "Lisbon"],
        ["22 020xxxx", "Porto", "Porto"],
        ["239 10xxxx", "Coimbra", "Coimbra"],
        ["253 14xxxx", "Braga", "Braga"],
        ["289 14xxxx", "Faro", "Faro"],
      ],
      monthlyCostMicros: 1_500_000,
      always: ["voice"],
      requirement: identity("Portugal"),
    },
  },
  IT: {
    local: {
      areas: [
        ["06 9480xxxx", "Rome", "Lazio"],
        ["02 8295xxxx", "Milan", "Lombardy"],
        ["081 1875xxxx", "Naples", "Campania"],
        ["011 1983xxxx", "Turin", "Piedmont"],
        ["055 0988xxxx", "Florence", "Tuscany"],
        ["051 0402xxxx", "Bologna", "Emilia-Romagna"],
      ],
      monthlyCostMicros: 1_500_000,
      always: ["voice"],
      some: ["fax"],
      requirement: identity("Italy"),
    },
  },
} as const satisfies Record<string, CountryStock>;
