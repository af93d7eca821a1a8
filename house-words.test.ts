import { expect, test } from "vitest";
import { codeFiles, withoutComments } from "./scripts/read-repository.ts";

const avoided =
  /^(beside|brought|deeds?|departures?|dissolve|fulfil|guests?|meetings?|obey|tell|telling|untold|wishes)$/;
/** Migrations are never edited, breaks quote code, and stored snapshots have a key of this name. */
const exempt = /\.test\.tsx?$|\/(ledger|migrations)\/|breaks\.ts$|\/rtpengine\/(restore-legs|with-mixer)\.ts$/;
/** What code declares, and its keys and calls; prose between tags is neither. */
const identifiers = /\b(?:const|let|function|interface|type)\s+(\w+)|\b(\w+)\??(?=[:(])/g;

test("identifiers are in the words of docs/GLOSSARY.md", () => {
  const found = codeFiles()
    .filter(({ path }) => !exempt.test(path))
    .flatMap(({ path, text }) =>
      [...withoutComments(text).matchAll(identifiers)].map(([, name, key = ""]) => ({ path, name: name ?? key })),
    )
    .filter(({ name }) => name.split(/_|(?=[A-Z])/).some((word) => avoided.test(word.toLowerCase())));
  expect(found).toEqual([]);
});
