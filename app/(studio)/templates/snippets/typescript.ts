import { jsonString } from "./literal.ts";
import { writeProgram } from "./program.ts";
import { dataUrlPrefix, type SnippetRequest } from "./snippet.ts";

/** A module for Node without dependencies. */
export function typescriptSnippet(request: SnippetRequest): string {
  return writeProgram(request, {
    comment: "//",
    notation: {
      key: (name) => `${name}: `,
      braces: ["{", "}"],
      string: jsonString,
      image: (image) => `${jsonString(dataUrlPrefix(image))} + (await readFile(${jsonString(image.file)}, "base64"))`,
      indent: "  ",
      lastComma: ",",
    },
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
