import { rubyString } from "./literal.ts";
import { bodyLines, indented } from "./literal-lines.ts";
import {
  dataUrlPrefix,
  pictureFile,
  renderAddress,
  type SnippetRequest,
  TOKEN_VARIABLE,
  tokenComment,
} from "./snippet.ts";

/** A script for Ruby, with its standard library alone. */
export function rubySnippet(request: SnippetRequest): string {
  const body = bodyLines(request, {
    key: (name) => `${name}: `,
    braces: ["{", "}"],
    string: rubyString,
    image: (image) => `${rubyString(dataUrlPrefix(image))} + [File.binread(${rubyString(image.file)})].pack("m0")`,
    indent: "  ",
    lastComma: ",",
  });
  return [
    ...tokenComment(request, "#"),
    'require "json"',
    'require "net/http"',
    "",
    "body = {",
    indented(body, "  "),
    "}",
    "response = Net::HTTP.post(",
    `  URI(${rubyString(renderAddress(request))}),`,
    "  JSON.generate(body),",
    '  "Content-Type" => "application/json",',
    ...(request.needsToken ? [`  "Authorization" => "Bearer #{ENV.fetch("${TOKEN_VARIABLE}")}",`] : []),
    ")",
    "abort response.body unless response.is_a?(Net::HTTPOK)",
    `File.binwrite(${rubyString(pictureFile(request))}, response.body)`,
  ].join("\n");
}
