/**
 * Withdrawn: the search by hashed windows was no quicker than trigrams. Some databases have run what stood here, so its
 * name stays known; 0034-stretches-of-leads makes the index anew and 0035-no-windows-of-leads removes the rest.
 */
export async function up(): Promise<void> {}
