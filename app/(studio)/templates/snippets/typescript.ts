import { jsonString } from "./literal.ts";
import { bodyLines, indented } from "./literal-lines.ts";
import {
  dataUrlPrefix,
  hasImages,
  pictureFile,
  renderAddress,
  type SnippetRequest,
  TOKEN_VARIABLE,
  tokenComment,
} from "./snippet.ts";

/** A module for Node, without a dependency. */
export function typescriptSnippet(request: SnippetRequest): string {
  const body = bodyLines(request, {
    key: (name) => `${name}: `,
    braces: ["{", "}"],
    string: jsonString,
    image: (image) => `${jsonString(dataUrlPrefix(image))} + (await readFile(${jsonString(image.file)}, "base64"))`,
    indent: "  ",
    lastComma: ",",
  });
  return [
    ...tokenComment(request, "//"),
    `import { ${hasImages(request) ? "readFile, " : ""}writeFile } from "node:fs/promises";`,
    ...(request.needsToken ? ['import { env } from "node:process";'] : []),
    "",
    `const response = await fetch(${jsonString(renderAddress(request))}, {`,
    '  method: "POST",',
    "  headers: {",
    '    "Content-Type": "application/json",',
    ...(request.needsToken ? [`    Authorization: \`Bearer \${env.${TOKEN_VARIABLE}}\`,`] : []),
    "  },",
    "  body: JSON.stringify({",
    indented(body, "    "),
    "  }),",
    "});",
    "if (!response.ok) throw new Error(await response.text());",
    `await writeFile(${jsonString(pictureFile(request))}, Buffer.from(await response.arrayBuffer()));`,
  ].join("\n");
}
