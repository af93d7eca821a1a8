/** "1 lead", "1,234 leads" */
export const leadsWord = (count: number): string => `${count.toLocaleString()} ${count === 1 ? "lead" : "leads"}`;

export const deletedLabel = (count: number): string => `${leadsWord(count)} deleted.`;
