import { writeLink } from "./link-program.ts";
import { jsonString } from "./literal.ts";
import { type Notation, writeProgram } from "./program.ts";
import { dataUrlPrefix, type SnippetRequest } from "./snippet.ts";

const NOTATION: Notation = {
  key: (name) => `${name}: `,
  braces: ["{", "}"],
  string: jsonString,
  image: (image) => `${jsonString(dataUrlPrefix(image))} + (await readFile(${jsonString(image.file)}, "base64"))`,
  indent: "  ",
  lastComma: ",",
};

/** A module for Node without dependencies. */
export function typescriptSnippet(request: SnippetRequest): string {
  return writeProgram(request, {
    comment: "//",
    notation: NOTATION,
    lines: ({ tokenComment, address, file, body, withToken, withImages }) => [
      ...tokenComment,
      `import { ${withImages("readFile, ").join("")}writeFile } from "node:fs/promises";`,
      ...withToken(() => 'import { env } from "node:process";'),
      "",
      `const response = await fetch(${address}, {`,
      '  method: "POST",',
      "  headers: {",
      '    "Content-Type": "application/json",',
      ...withToken((variable) => `    Authorization: \`Bearer \${env.${variable}}\`,`),
      "  },",
      "  body: JSON.stringify({",
      body("    "),
      "  }),",
      "});",
      "if (!response.ok) throw new Error(await response.text());",
      `await writeFile(${file}, Buffer.from(await response.arrayBuffer()));`,
    ],
  });
}

/** A module for Node without dependencies that signs a link. */
export function typescriptLink(request: SnippetRequest): string {
  return writeLink(request, {
    comment: "//",
    notation: NOTATION,
    lines: ({ keyComment, address, text, body }) => [
      keyComment,
      'import { createHmac } from "node:crypto";',
      'import { env, stdout } from "node:process";',
      "",
      'const [id, ...secret] = (env.PLATEN_LINK_KEY ?? "").split(":");',
      ...(text === undefined
        ? ["// Keep the keys sorted, at every level.", "const json = JSON.stringify({", body("  "), "});"]
        : [`const json = ${text};`]),
      'const payload = Buffer.from(json).toString("base64url");',
      'const signature = createHmac("sha256", secret.join(":")).update(`${id}/${payload}`).digest("base64url");',
      `stdout.write([${address}, id, signature, payload].join("/") + ".png\\n");`,
    ],
  });
}
