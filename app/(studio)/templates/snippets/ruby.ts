import { writeLink } from "./link-program.ts";
import { rubyString } from "./literal.ts";
import { type Notation, writeProgram } from "./program.ts";
import { dataUrlPrefix, type SnippetRequest } from "./snippet.ts";

const NOTATION: Notation = {
  key: (name) => `${name}: `,
  braces: ["{", "}"],
  string: rubyString,
  image: (image) => `${rubyString(dataUrlPrefix(image))} + [File.binread(${rubyString(image.file)})].pack("m0")`,
  none: "nil",
  indent: "  ",
  lastComma: ",",
};

/** A script for Ruby that uses only the standard library. */
export function rubySnippet(request: SnippetRequest): string {
  return writeProgram(request, {
    comment: "#",
    notation: NOTATION,
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

/** A script for Ruby that uses only the standard library and signs a link. */
export function rubyLink(request: SnippetRequest): string {
  return writeLink(request, {
    comment: "#",
    notation: NOTATION,
    lines: ({ keyComment, address, text, body }) => [
      keyComment,
      ...(text === undefined ? ['require "json"'] : []),
      'require "openssl"',
      "",
      "def base64url(bytes)",
      '  [bytes].pack("m0").tr("+/", "-_").delete("=")',
      "end",
      "",
      'id, secret = ENV.fetch("PLATEN_LINK_KEY").split(":", 2)',
      ...(text === undefined
        ? ["# Keep the keys sorted, at every level.", "json = JSON.generate({", body("  "), "})"]
        : [`json = ${text}`]),
      "payload = base64url(json)",
      'signature = base64url(OpenSSL::HMAC.digest("SHA256", secret, "#{id}/#{payload}"))',
      `puts "#{[${address}, id, signature, payload].join("/")}.png"`,
    ],
  });
}
