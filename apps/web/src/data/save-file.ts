/** Hands content to the browser's downloads. A link cannot carry the token, so it was fetched before. */
export function saveFile(content: Blob, name: string): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // The browser has it once the click is handled.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
