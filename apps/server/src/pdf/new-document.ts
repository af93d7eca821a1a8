import { createRequire } from "node:module";
import Document from "pdfkit";

export type PdfDocument = InstanceType<typeof Document>;

// Names may contain letters that a PDF's built-in fonts lack.
const require = createRequire(import.meta.url);
const fonts = {
  regular: require.resolve("dejavu-fonts-ttf/ttf/DejaVuSans.ttf"),
  bold: require.resolve("dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf"),
};

export const pageMargin = 56;
export const softInk = "#52635a";

/** An A4 document that streams. End it when everything is written. */
export function newDocument(title: string): PdfDocument {
  const info = { Title: title, Creator: "Leadline" };
  const document = new Document({ size: "A4", margin: pageMargin, font: fonts.regular, lang: "en", info });
  document.registerFont("regular", fonts.regular).registerFont("bold", fonts.bold);
  return document.fontSize(10);
}

const days = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });
export const onDay = (timestamp: string): string => days.format(new Date(timestamp));
