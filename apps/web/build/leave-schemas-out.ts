import type { ESTree, Plugin } from "vite";

/** The properties of an endpoint that a request needs. */
const ofTheRequest = new Set(["method", "path", "access", "urlEncoded", "mayTakeMs"]);

/**
 * The browser uses the contract's endpoints for requests and leaves validation to the server. So each contract module
 * is split in two: what needs no validator, such as a request's method and path, and the schemas, which only pages with
 * a form load.
 */
export const leaveSchemasOut: Plugin = {
  name: "leave-schemas-out",
  apply: "build",
  transform: {
    filter: { id: /packages\/contract\/src\/[\w-]+\.ts(\?plain|\?schemas)?$/, code: /from "(zod|\.\/endpoint\.ts)"/ },
    handler(code, id) {
      const [path, part] = id.split("?");
      const from = (other: string): string => JSON.stringify(`${path}?${other}`);
      if (part === undefined) {
        const both = `export * from ${from("plain")};\nexport * from ${from("schemas")};`;
        return { code: both, map: null, moduleSideEffects: false };
      }
      const { imports, plain, schemas } = split(code, this.parse(code));
      const names = plain.map(({ name }) => name).join(", ");
      const lines =
        part === "plain"
          ? plain.map(({ text }) => text.replace(/^(?!export )/, "export "))
          : [...imports, `import { ${names} } from ${from("plain")};`, ...schemas.map(({ text }) => text)];
      return { code: lines.join("\n"), map: null, moduleSideEffects: false };
    },
  },
};

interface Declared {
  name: string;
  text: string;
}

function split(code: string, program: ESTree.Program) {
  const textOf = ({ start, end }: { start: number; end: number }): string => code.slice(start, end);
  const imports: string[] = [];
  const [plain, schemas]: [Declared[], Declared[]] = [[], []];
  const needValidator = new Set<string>();
  for (const node of program.body) {
    if (node.type === "ImportDeclaration") {
      imports.push(textOf(node));
      for (const { local } of node.specifiers) needValidator.add(local.name);
      continue;
    }
    const declaration = node.type === "ExportNamedDeclaration" ? node.declaration : node;
    if (declaration?.type === "FunctionDeclaration" && declaration.id) {
      sort({ name: declaration.id.name, text: textOf(node) }, textOf(declaration));
    } else if (declaration?.type === "VariableDeclaration") {
      const [first, second] = declaration.declarations;
      if (first?.id.type !== "Identifier" || second) throw new Error(`One name each, please: ${textOf(node)}`);
      const { name } = first.id;
      const entry = first.init && entryOf(first.init);
      if (entry) plain.push({ name, text: `export const ${name} = ${requestOf(entry, textOf)};` });
      else if (first.init) {
        // Top-level code only creates values, so unused ones can be removed.
        const value = textOf(first.init);
        const start = code.slice(node.start, first.init.start);
        sort({ name, text: `${start}/*#__PURE__*/ (() => (${value}))();` }, value);
      } else sort({ name, text: textOf(node) }, "");
    } else if (textOf(node) !== "export {};") {
      throw new Error(`The contract only names values and functions, but says: ${textOf(node)}`);
    }
  }
  return { imports, plain, schemas };

  function sort(declared: Declared, content: string): void {
    if (!content.match(/[\w$]+/g)?.some((word) => needValidator.has(word))) return void plain.push(declared);
    needValidator.add(declared.name);
    schemas.push(declared);
  }
}

/** The object literal in `endpoint({ … })`. */
function entryOf(value: ESTree.Expression): ESTree.ObjectExpression | null {
  if (value.type !== "CallExpression" || value.callee.type !== "Identifier" || value.callee.name !== "endpoint")
    return null;
  const [entry] = value.arguments;
  return entry?.type === "ObjectExpression" ? entry : null;
}

function requestOf(entry: ESTree.ObjectExpression, textOf: (node: ESTree.Span) => string): string {
  const kept = entry.properties.flatMap((property) => {
    if (property.type !== "Property" || property.key.type !== "Identifier") return [];
    if (ofTheRequest.has(property.key.name)) return [textOf(property)];
    // Of the response, only that it is a file or events.
    return property.key.name === "success" && /"(file|events)"/.test(textOf(property)) ? [textOf(property)] : [];
  });
  return `{ ${kept.join(", ")} }`;
}
