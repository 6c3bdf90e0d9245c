import { jsonString, shellWord } from "./literal.ts";
import { writeProgram } from "./program.ts";
import { dataUrlPrefix, hasImages, type SnippetRequest } from "./snippet.ts";

/** A text of a here-document whose end is not in quotes, where the shell looks for what to put in. */
const hereEscaped = (text: string) => text.replace(/[\\$`]/g, "\\$&");

/** A `curl` for any POSIX shell. The body comes by a here-document: there is nothing to quote in it, and no limit to its length. */
export function curlSnippet(request: SnippetRequest): string {
  const isFilledIn = hasImages(request);
  return writeProgram(request, {
    comment: "#",
    notation: {
      key: (name) => `"${name}": `,
      braces: ["{", "}"],
      string: (text) => (isFilledIn ? hereEscaped(jsonString(text)) : jsonString(text)),
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
      `  --data-binary @- ${address} <<${isFilledIn ? "JSON" : "'JSON'"}`,
      "{",
      body("  "),
      "}",
      "JSON",
    ],
  });
}
