/**
 * Per country: the digits after the dial code, each x any digit, and the place, with its region if that has another
 * name; then mobile and toll-free digits, and what a buyer must provide. If a country has reserved numbers for fiction
 * (US, CA, GB, DE, FR, AU, SE), these are used. libphonenumber-js decides which numbers are valid.
 */
const table = `
US: 212 55501xx New York, 415 55501xx San Francisco/California, 312 55501xx Chicago/Illinois, 305 55501xx Miami/Florida, 617 55501xx Boston/Massachusetts, 206 55501xx Seattle/Washington, 512 55501xx Austin/Texas, 303 55501xx Denver/Colorado, 404 55501xx Atlanta/Georgia, 213 55501xx Los Angeles/California, 602 55501xx Phoenix/Arizona, 215 55501xx Philadelphia/Pennsylvania, 503 55501xx Portland/Oregon, 615 55501xx Nashville/Tennessee, 713 55501xx Houston/Texas, 202 55501xx Washington/District of Columbia, 612 55501xx Minneapolis/Minnesota, 504 55501xx New Orleans/Louisiana, 702 55501xx Las Vegas/Nevada, 808 55501xx Honolulu/Hawaii | toll-free: 833 55501xx
CA: 416 55501xx Toronto/Ontario, 514 55501xx Montreal/Quebec, 604 55501xx Vancouver/British Columbia, 403 55501xx Calgary/Alberta, 613 55501xx Ottawa/Ontario, 709 55501xx St. John’s/Newfoundland and Labrador
BR: 11 3xxxxxxx São Paulo, 21 3xxxxxxx Rio de Janeiro, 61 3xxxxxxx Brasília/Federal District, 31 3xxxxxxx Belo Horizonte/Minas Gerais, 71 3xxxxxxx Salvador/Bahia | asks: company
MX: 55 5xxxxxxx Mexico City, 33 3xxxxxxx Guadalajara/Jalisco, 81 8xxxxxxx Monterrey/Nuevo León, 222 2xxxxxx Puebla, 664 6xxxxxx Tijuana/Baja California | asks: identity
CL: 2 2xxxxxxx Santiago/Santiago Metropolitan, 32 2xxxxxx Valparaíso, 41 2xxxxxx Concepción/Biobío, 55 2xxxxxx Antofagasta, 51 2xxxxxx La Serena/Coquimbo | asks: address
CO: 601 xxxxxxx Bogotá/Cundinamarca, 604 xxxxxxx Medellín/Antioquia, 602 xxxxxxx Cali/Valle del Cauca, 605 xxxxxxx Barranquilla/Atlántico, 607 xxxxxxx Bucaramanga/Santander | asks: address
GB: 20 79460xxx London/Greater London, 161 4960xxx Manchester/Greater Manchester, 121 4960xxx Birmingham/West Midlands, 131 4960xxx Edinburgh/Scotland, 141 4960xxx Glasgow/Scotland, 113 4960xxx Leeds/West Yorkshire | mobile: 7400 xxxxxx | toll-free: 808 157xxxx | asks: address
IE: 1 5xxxxxx Dublin/Leinster, 21 2xxxxxx Cork/Munster, 91 39xxxx Galway/Connacht, 61 53xxxx Limerick/Munster, 51 34xxxx Waterford/Munster | asks: local address
DE: 30 23125xxx Berlin, 40 66969xxx Hamburg, 89 99998xxx Munich/Bavaria, 221 4710xxx Cologne/North Rhine-Westphalia, 69 90009xxx Frankfurt am Main/Hesse | mobile: 1522 88173xx | asks: local address
FR: 1 9900xxxx Paris/Île-de-France, 2 6191xxxx Nantes/Pays de la Loire, 3 5301xxxx Strasbourg/Grand Est, 4 6571xxxx Lyon/Auvergne-Rhône-Alpes, 5 3649xxxx Bordeaux/Nouvelle-Aquitaine | asks: company
NL: 20 2xxxxxx Amsterdam/North Holland, 10 2xxxxxx Rotterdam/South Holland, 70 2xxxxxx The Hague/South Holland, 30 2xxxxxx Utrecht, 40 2xxxxxx Eindhoven/North Brabant | mobile: 6 8xxxxxxx | asks: local address
BE: 2 588xxxx Brussels/Brussels-Capital, 3 808xxxx Antwerp/Flanders, 9 298xxxx Ghent/Flanders, 4 268xxxx Liège/Wallonia, 71 96xxxx Charleroi/Wallonia | asks: local address
LU: 26 48xxxx Luxembourg, 26 54xxxx Esch-sur-Alzette, 26 81xxxx Ettelbruck/Diekirch | asks: address
CH: 44 505xxxx Zürich, 22 518xxxx Geneva, 61 588xxxx Basel/Basel-Stadt, 31 528xxxx Bern, 21 588xxxx Lausanne/Vaud | asks: local address
AT: 1 205xxxx Vienna, 316 22xxxx Graz/Styria, 732 22xxxx Linz/Upper Austria, 662 23xxxx Salzburg, 512 21xxxx Innsbruck/Tyrol | asks: local address
ES: 91 198xxxx Madrid/Community of Madrid, 93 220xxxx Barcelona/Catalonia, 96 205xxxx Valencia/Valencian Community, 95 520xxxx Seville/Andalusia, 94 405xxxx Bilbao/Basque Country | asks: identity
PT: 21 020xxxx Lisbon, 22 020xxxx Porto, 239 10xxxx Coimbra, 253 14xxxx Braga, 289 14xxxx Faro | asks: identity
IT: 06 9480xxxx Rome/Lazio, 02 8295xxxx Milan/Lombardy, 081 1875xxxx Naples/Campania, 011 1983xxxx Turin/Piedmont, 055 0988xxxx Florence/Tuscany | asks: identity
SE: 8 465004xx Stockholm/Stockholm County, 31 39006xx Gothenburg/Västra Götaland, 40 62804xx Malmö/Scania, 90 17340xx Umeå/Västerbotten, 980 3192xx Kiruna/Norrbotten | mobile: 70 17406xx | asks: address
NO: 21 9xxxxx Oslo, 55 6xxxxx Bergen/Vestland, 73 6xxxxx Trondheim/Trøndelag, 51 2xxxxx Stavanger/Rogaland, 77 2xxxxx Tromsø/Troms | asks: address
DK: 32 7xxxxx Copenhagen/Capital Region, 86 9xxxxx Aarhus/Central Denmark, 65 7xxxxx Odense/Southern Denmark, 98 9xxxxx Aalborg/North Denmark | asks: identity
FI: 9 4245xxxx Helsinki/Uusimaa, 3 4107xxxx Tampere/Pirkanmaa, 2 4809xxxx Turku/Southwest Finland, 8 4159xxxx Oulu/North Ostrobothnia | mobile: 45 739xxxxx | asks: address
EE: 6 68xxxx Tallinn/Harju County, 7 12xxxx Tartu/Tartu County, 4 42xxxx Pärnu/Pärnu County, 3 32xxxx Narva/Ida-Viru County | asks: address
LT: 5 214xxxx Vilnius/Vilnius County, 37 21xxxx Kaunas/Kaunas County, 46 21xxxx Klaipėda/Klaipėda County, 41 52xxxx Šiauliai/Šiauliai County | asks: address
PL: 22 104xxxx Warsaw/Masovia, 12 444xxxx Kraków/Lesser Poland, 71 707xxxx Wrocław/Lower Silesia, 61 225xxxx Poznań/Greater Poland, 58 350xxxx Gdańsk/Pomerania, 42 207xxxx Łódź/Łódź Province | asks: local address
CZ: 2 2888xxxx Prague, 5 3888xxxx Brno/South Moravia, 5 9688xxxx Ostrava/Moravia-Silesia, 3 7188xxxx Plzeň/Plzeň Region | asks: address
HU: 1 701xxxx Budapest, 52 30xxxx Debrecen/Hajdú-Bihar, 62 30xxxx Szeged/Csongrád-Csanád, 72 30xxxx Pécs/Baranya, 96 30xxxx Győr/Győr-Moson-Sopron | asks: identity
RO: 21 529xxxx Bucharest, 364 70xxxx Cluj-Napoca/Cluj, 356 70xxxx Timișoara/Timiș, 332 70xxxx Iași, 341 70xxxx Constanța | asks: company
BG: 2 492xxxx Sofia/Sofia-Capital, 32 57xxxx Plovdiv, 52 91xxxx Varna, 56 91xxxx Burgas | asks: address
GR: 21 1198xxxx Athens/Attica, 231 118xxxx Thessaloniki/Central Macedonia, 261 118xxxx Patras/Western Greece, 281 118xxxx Heraklion/Crete | asks: identity
IN: 22 6xxxxxxx Mumbai/Maharashtra, 11 4xxxxxxx New Delhi/Delhi, 80 4xxxxxxx Bengaluru/Karnataka, 40 4xxxxxxx Hyderabad/Telangana, 44 4xxxxxxx Chennai/Tamil Nadu | asks: company
JP: 3 4xxxxxxx Tokyo, 6 4xxxxxxx Osaka, 52 4xxxxxx Nagoya/Aichi, 45 4xxxxxx Yokohama/Kanagawa, 92 4xxxxxx Fukuoka | toll-free: 120 9xxxxx | asks: company
AU: 2 5550xxxx Sydney/New South Wales, 3 5550xxxx Melbourne/Victoria, 7 5550xxxx Brisbane/Queensland, 8 5550xxxx Adelaide/South Australia | mobile: 491 5701xx | asks: address
NZ: 9 887xxxx Auckland, 4 887xxxx Wellington, 3 668xxxx Christchurch/Canterbury, 7 808xxxx Hamilton/Waikato, 3 425xxxx Dunedin/Otago | asks: address
SG: 31 58xxxx Singapore, 66 81xxxx Singapore, 68 17xxxx Singapore | asks: identity
HK: 58 03xxxx Hong Kong, 37 03xxxx Hong Kong, 34 69xxxx Hong Kong
IL: 3 376xxxx Tel Aviv-Yafo/Tel Aviv, 2 376xxxx Jerusalem, 4 376xxxx Haifa, 8 376xxxx Be’er Sheva/Southern, 9 376xxxx Herzliya/Tel Aviv
ZA: 10 500xxxx Johannesburg/Gauteng, 21 300xxxx Cape Town/Western Cape, 31 100xxxx Durban/KwaZulu-Natal, 12 943xxxx Pretoria/Gauteng, 41 811xxxx Gqeberha/Eastern Cape | asks: local address
`;

export type Kind = "local" | "mobile" | "toll-free";

/** The numbers of one type and place, as generated from its digits. */
export interface Shelf {
  kind: Kind;
  digits: string;
  location: string | null;
  region: string | null;
}

export interface CountryServed {
  shelves: readonly Shelf[];
  requirement: string | null;
}

const requirements: Record<string, string> = {
  address: "This country asks for an address in it. The sandbox does not check it.",
  "local address": "This country asks for an address in the number’s own area. The sandbox does not check it.",
  identity: "This country asks for proof of identity and of an address. The sandbox does not check them.",
  company: "This country asks for a company registration and an address. The sandbox does not check them.",
};

/** By ISO 3166-1 alpha-2 code. */
export const countriesServed: ReadonlyMap<string, CountryServed> = new Map(table.trim().split("\n").map(readCountry));

function readCountry(line: string): [string, CountryServed] {
  const parts = line.split(" | ").map((part): [string, string] => {
    const [name = "", text = ""] = part.split(": ");
    return [name, text];
  });
  const [[country, places] = ["", ""], ...others] = parts;
  const more = new Map(others);
  const shelves = places.split(", ").map((area): Shelf => {
    const [, digits = "", location = "", region = location] = /^([\dx ]+) ([^/]+)\/?(.+)?$/.exec(area) ?? [];
    return { kind: "local", digits, location, region };
  });
  for (const kind of ["mobile", "toll-free"] as const) {
    const digits = more.get(kind);
    if (digits) shelves.push({ kind, digits, location: null, region: null });
  }
  return [country, { shelves, requirement: requirements[more.get("asks") ?? ""] ?? null }];
}
