/** Saves content as a download. A link can't carry the token, so it is fetched first. */
export function saveFile(content: Blob, name: string): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // The browser has read it once the click is handled.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
