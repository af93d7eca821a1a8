let known: boolean | null = null;

/** Whether this system renders flag emoji as pictures: Windows and bare Linux show letters or empty boxes. */
export function drawsFlags(): boolean {
  known ??= paintsInColour("🇺🇸");
  return known;
}

/** Text painted in black is grey at every pixel; a picture isn't. */
function paintsInColour(text: string): boolean {
  const canvas = document.createElement("canvas");
  canvas.width = 20;
  canvas.height = 20;
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (!context) return false;
  context.font = "16px sans-serif";
  context.fillText(text, 0, 16);
  const { data } = context.getImageData(0, 0, 20, 20);
  for (let i = 0; i < data.length; i += 4) if (data[i] !== data[i + 1] || data[i + 1] !== data[i + 2]) return true;
  return false;
}
