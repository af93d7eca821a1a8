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

/** "Müßig" as "mussig": the same as leadline_search.fold, the SQL function for searched text. */
export const foldText = (text: string): string =>
  text
    .normalize("NFD")
    .replaceAll(/[\u0300-\u036f]/g, "")
    .toLowerCase()
    .replaceAll(/[øłđðıßæœþ]/g, (letter) => lettersWithoutMarks[letter] ?? letter);
