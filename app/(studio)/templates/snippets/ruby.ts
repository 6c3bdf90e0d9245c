import { rubyString } from "./literal.ts";
import { writeProgram } from "./program.ts";
import { dataUrlPrefix, type SnippetRequest } from "./snippet.ts";

/** A script for Ruby that uses only the standard library. */
export function rubySnippet(request: SnippetRequest): string {
  return writeProgram(request, {
    comment: "#",
    notation: {
      key: (name) => `${name}: `,
      braces: ["{", "}"],
      string: rubyString,
      image: (image) => `${rubyString(dataUrlPrefix(image))} + [File.binread(${rubyString(image.file)})].pack("m0")`,
      none: "nil",
      indent: "  ",
      lastComma: ",",
    },
    lines: ({ tokenComment, address, file, body, withToken }) => [
      ...tokenComment,
      'require "json"',
      'require "net/http"',
      "",
      "body = {",
      body("  "),
      "}",
      "response = Net::HTTP.post(",
      `  URI(${address}),`,
      "  JSON.generate(body),",
      '  "Content-Type" => "application/json",',
      ...withToken((variable) => `  "Authorization" => "Bearer #{ENV.fetch("${variable}")}",`),
      ")",
      "abort response.body unless response.is_a?(Net::HTTPOK)",
      `File.binwrite(${file}, response.body)`,
    ],
  });
}
