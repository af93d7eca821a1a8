export const nextSteps = [
  "Send the price list",
  "Call back after the trade fair",
  "Ask for the purchase order",
] as const;

/** A fictitious person. Each sandbox converts it to its vendor's format. */
export interface Person {
  firstName: string | null;
  lastName: string;
  company: string;
  title: string;
  email: string | null;
  phone: string | null;
  mobilePhone: string | null;
  stage: (typeof stages)[number];
  /** Milliseconds since 1970. */
  createdMs: number;
}

const firstNames =
  "Ada Amara Ana Arjun Astrid Ben Bruno Carla Carlos Chen Chloe Clara Daniel Diego Dora Edith Elena Emil Emma Farid Fatima Felix Freya George Grace Hana Hassan Helen Henry Ines Isaac Ivy Jamal Jonas Julia Kai Karim Keiko Lara Leo Lina Lucas Maja Marco Maria Maya Milan Mina Nadia Naomi Nils Noah Nora Olga Oliver Omar Oscar Paula Pedro Priya Rafael Rania Rosa Ruth Samir Sara Sofia Tara Theo Tomas Uma Victor Vera Wei Yara Yusuf Zoe".split(
    " ",
  );
const lastNames =
  "Abara Ahmed Almeida Andersen Baker Barros Becker Bennett Bianchi Blake Brandt Castro Chandra Chen Clarke Costa Dahl Diaz Doyle Dubois Duarte Eriksen Farah Fischer Fleming Foster Garcia Grant Greene Gupta Haddad Hansen Harper Hayashi Hughes Ibrahim Ivanova Jansen Jensen Kaplan Keller Khan Kim Kowalski Kumar Lambert Larsen Lopez Marsh Mehta Meyer Molina Moore Morales Murphy Nakamura Nguyen Novak Okafor Okoye Olsen Ortiz Park Patel Perez Petrov Quinn Ramos Reyes Rossi Santos Sato Schmidt Shah Silva Singh Stone Suarez Tanaka Thorne Torres Usman Vance Vargas Vogel Walker Weber Wong Young Zhang".split(
    " ",
  );
const companies =
  "Alder & Finch|Aurora Freight|Barlow Dental|Beacon Analytics|Birchwood Foods|Bluewater Marine|Brightside Solar|Cedar Lane Homes|Copperfield Tools|Coral Bay Hotels|Crosswind Logistics|Delphi Robotics|Eastgate Print|Everly Health|Fairmont Legal|Fieldstone Farms|Firefly Studios|Foxglove Florists|Granite Peak Outdoors|Greenline Transit|Halcyon Insurance|Harbour Steel|Highland Coffee|Ironwood Furniture|Juniper Press|Kestrel Aviation|Lakeview Clinics|Larkspur Textiles|Lighthouse Learning|Maple Street Bakery|Meridian Maps|Northwind Energy|Oakridge Motors|Orchard Payroll|Pinecrest Plumbing|Quarry Hill Stone|Redwood Networks|Riverside Roofing|Saltmarsh Seafood|Silverbirch Software|Stonebridge Capital|Summit Sports|Tidewater Pumps|Timberline Tents|Union Square Events|Verdant Gardens|Westbrook Wines|Willow Creek Vets|Windmill Packaging|Yellowfin Charters".split(
    "|",
  );
const titles =
  "Owner|Buyer|Head of Sales|Office Manager|Operations Lead|Managing Director|Marketing Manager|Procurement|Founder|Partner".split(
    "|",
  );
const stages = ["new", "new", "contacted", "contacted", "lost", "won"] as const;
const areaCodes = ["212", "206", "303", "312", "404", "415", "512", "602", "617", "702", "808", "919"];

const defaultCount = 250;
const spreadDays = 387.5;

/**
 * Always the same people. The first ten have the sandbox carrier's numbers, so that calling them behaves as its README
 * says.
 */
export function makePeople(nowMs: number, count = defaultCount): Person[] {
  const random = seeded(20_250);
  const pick = <T>(list: readonly T[]): T => {
    const found = list[Math.floor(random() * list.length)];
    if (found === undefined) throw new Error("nothing to pick from");
    return found;
  };
  const dayMs = 86_400_000;
  return Array.from({ length: count }, (_, index) => {
    const first = pick(firstNames);
    const last = pick(lastNames);
    const company = pick(companies);
    const phone = index < 10 ? `+1 202-555-01${String(index).padStart(2, "0")}` : fictionalPhone(random, index);
    // Some share one time, like records of one import.
    const createdMs =
      Math.floor((nowMs - dayMs * (400 - (Math.floor(index / 4) * 4 * spreadDays) / count)) / 1000) * 1000;
    const host = company.toLowerCase().replaceAll(/[^a-z]+/g, "-");
    return {
      firstName: index % 41 === 40 ? null : first,
      lastName: last,
      company,
      email: index % 23 === 22 ? null : `${first}.${last}@${host}.example`.toLowerCase(),
      phone: index % 17 === 16 ? null : phone,
      mobilePhone: index % 17 === 16 ? phone : null,
      stage: pick(stages),
      title: pick(titles),
      createdMs,
    };
  });
}

/** Numbers reserved for fiction: 555-0100 to 0199 in North America, 020 7946 0000 to 0999 in London (Ofcom). */
function fictionalPhone(random: () => number, index: number): string {
  const area = areaCodes[Math.floor(random() * areaCodes.length)] ?? "212";
  const line = `01${String(Math.floor(random() * 100)).padStart(2, "0")}`;
  if (index % 13 === 0) return `+44 20 7946 0${String(Math.floor(random() * 1000)).padStart(3, "0")}`;
  if (index % 3 === 0) return `(${area}) 555-${line}`;
  return index % 3 === 1 ? `+1 ${area} 555 ${line}` : `${area}-555-${line}`;
}

/** Pseudo-random numbers from 0 to below 1, with a fixed seed (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
