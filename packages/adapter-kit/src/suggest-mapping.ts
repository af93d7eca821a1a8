import type { CrmField, CrmFieldMapping } from "@leadline/contract/crm-mapping";

/** Suggests which CRM field each lead field comes from, by the fields' kinds, names and order. */
export function suggestMapping(fields: readonly CrmField[]): CrmFieldMapping {
  const find = (kinds: readonly CrmField["kind"][], name: RegExp): string | null =>
    fields.find((field) => kinds.includes(field.kind) && name.test(field.name))?.id ?? null;
  const owner = find(
    ["person", "text"],
    /^(lead |account |contact )?(owner|responsible|assignee|assigned to|sales ?rep)/i,
  );
  const person = fields.find(({ id, kind }) => kind === "person" && id !== owner)?.id ?? null;
  const firstName = find(["text"], /\b(first|given|fore)[ -]?name/i);
  const lastName = find(["text"], /\b(last|family|sur)[ -]?name/i);
  const isSplit = firstName !== null || lastName !== null;
  const fullName = isSplit
    ? null
    : (find(["text"], /^((full|contact|lead|customer|client) )?name$/i) ?? person ?? find(["text"], /./));
  const jobTitle = find(["text"], /^(job ?title|job|title|position|role)$/i);
  return {
    fullName,
    firstName,
    lastName,
    email: find(["email"], /./) ?? find(["text"], /e-?mail/i) ?? person,
    phone: find(["phone"], /^(?!.*fax)/i) ?? find(["text"], /phone|mobile/i) ?? person,
    company: find(["text"], /^(company|organi[sz]ation|account|business|employer)( name)?$/i),
    jobTitle: jobTitle === fullName ? null : jobTitle,
    status: find(["choice"], /status/i) ?? find(["choice"], /stage/i),
    owner,
    nextStep: find(["text"], /^next (step|action|activity|task)s?$/i),
  };
}
