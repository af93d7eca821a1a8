/** Fictitious: the numbers are reserved for fiction, and the mail addresses end in .example. */
export const team = [
  { firstName: "Robin", lastName: "Sounder", email: "robin.sounder@harbourtools.example" },
  { firstName: "Amara", lastName: "Okafor", email: "amara.okafor@harbourtools.example" },
  { firstName: "Mateo", lastName: "Lindqvist", email: "mateo.lindqvist@harbourtools.example" },
];

const lead = (firstName: string, lastName: string, phone: string, status: string) => ({
  firstName,
  lastName,
  email: `${firstName}.${lastName}@${lastName}.example`
    .toLowerCase()
    .normalize("NFD")
    .replaceAll(/[^\w.@-]/g, ""),
  phone,
  status,
});

/** The first lead's page is shown. The newest, which lists show first, come last. */
export const demoLeads = [
  lead("Bob", "Stone", "+1 202 555 0187", "Working"),
  lead("Priya", "Raman", "+1 202 555 0141", "Qualified"),
  lead("Elif", "Kaya", "+44 20 7946 0321", "Nurturing"),
  lead("Jonas", "Weber", "+44 161 496 0177", "Working"),
  lead("Grace", "Holloway", "+1 415 555 0176", "New"),
  lead("Tomás", "Ferreira", "+1 617 555 0119", "Unqualified"),
  lead("Hannah", "Petersen", "+44 131 496 0240", "Qualified"),
  lead("Kwame", "Mensah", "+1 312 555 0164", "New"),
  lead("Sofia", "Bianchi", "+44 117 496 0412", "Working"),
  lead("Liam", "Doyle", "+44 28 9649 6103", "Nurturing"),
  lead("Mei", "Tanaka", "+1 206 555 0133", "New"),
  lead("Olivia", "Marsh", "+1 503 555 0192", "Working"),
];

export const leadNotes = [
  "Runs three tugs out of Portland; looks after the deck gear himself.",
  "Asked for the price of twelve winches, delivered before the season.",
  "Prefers calls before ten. Mentions of Peter, his purchaser, mean a quote is due.",
];

/** On the do-not-call list. Not one of the leads. */
export const notToBeCalled = "+442079460155";
