import { jsonString, shellWord } from "./literal.ts";
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

/** A text of a here-document whose end is not in quotes, where the shell looks for what to put in. */
const hereEscaped = (text: string) => text.replace(/[\\$`]/g, "\\$&");

/** A `curl` for any POSIX shell. The body comes by a here-document: there is nothing to quote in it, and no limit to its length. */
export function curlSnippet(request: SnippetRequest): string {
  const isFilledIn = hasImages(request);
  const string = (text: string) => (isFilledIn ? hereEscaped(jsonString(text)) : jsonString(text));
  const body = bodyLines(request, {
    key: (name) => `"${name}": `,
    braces: ["{", "}"],
    string,
    image: (image) => `"${dataUrlPrefix(image)}$(base64 < ${shellWord(image.file)} | tr -d '\\n')"`,
    indent: "  ",
    lastComma: "",
  });
  return [
    ...tokenComment(request, "#"),
    `curl --silent --show-error --fail-with-body --output ${shellWord(pictureFile(request))} \\`,
    ...(request.needsToken ? [`  --header "Authorization: Bearer $${TOKEN_VARIABLE}" \\`] : []),
    "  --header 'Content-Type: application/json' \\",
    `  --data-binary @- ${shellWord(renderAddress(request))} <<${isFilledIn ? "JSON" : "'JSON'"}`,
    "{",
    indented(body, "  "),
    "}",
    "JSON",
  ].join("\n");
}
