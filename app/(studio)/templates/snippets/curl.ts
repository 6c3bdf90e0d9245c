import { jsonString, shellWord } from "./literal.ts";
import { writeProgram } from "./program.ts";
import { dataUrlPrefix, hasImages, type SnippetRequest } from "./snippet.ts";

/** Escapes text in a here-document with an unquoted delimiter, where the shell expands variables. */
const hereEscaped = (text: string) => text.replace(/[\\$`]/g, "\\$&");

/** A `curl` command for a POSIX shell. The body is a here-document, which needs no quoting and has no length limit. */
export function curlSnippet(request: SnippetRequest): string {
  const hasExpansions = hasImages(request);
  return writeProgram(request, {
    comment: "#",
    notation: {
      key: (name) => `"${name}": `,
      braces: ["{", "}"],
      string: (text) => (hasExpansions ? hereEscaped(jsonString(text)) : jsonString(text)),
      image: (image) => `"${dataUrlPrefix(image)}$(base64 < ${shellWord(image.file)} | tr -d '\\n')"`,
      indent: "  ",
      lastComma: "",
    },
    string: shellWord,
    lines: ({ tokenComment, address, file, body, withToken }) => [
      ...tokenComment,
      `curl --silent --show-error --fail-with-body --output ${file} \\`,
      ...withToken((variable) => `  --header "Authorization: Bearer $${variable}" \\`),
      "  --header 'Content-Type: application/json' \\",
      `  --data-binary @- ${address} <<${hasExpansions ? "JSON" : "'JSON'"}`,
      "{",
      body("  "),
      "}",
      "JSON",
    ],
  });
}
