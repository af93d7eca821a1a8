const lettersWithoutMarks: Record<string, string> = {
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  ı: "i",
  ß: "ss",
  æ: "ae",
  œ: "oe",
  þ: "th",
};

/** "Müßig" as "mussig": what leadline_search.fold (a migration's) does to the text that is searched. */
export const foldText = (text: string): string =>
  text
    .normalize("NFD")
    .replaceAll(/[\u0300-\u036f]/g, "")
    .toLowerCase()
    .replaceAll(/[øłđðıßæœþ]/g, (letter) => lettersWithoutMarks[letter] ?? letter);
