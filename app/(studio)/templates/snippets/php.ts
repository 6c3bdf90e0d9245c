import { writeLink } from "./link-program.ts";
import { phpString } from "./literal.ts";
import { type Notation, writeProgram } from "./program.ts";
import { dataUrlPrefix, type SnippetRequest } from "./snippet.ts";

const NOTATION: Notation = {
  key: (name) => `"${name}" => `,
  braces: ["[", "]"],
  // PHP would send an empty array as one of JSON.
  emptyObject: "(object) []",
  string: phpString,
  image: (image) => `${phpString(dataUrlPrefix(image))} . base64_encode(file_get_contents(${phpString(image.file)}))`,
  indent: "    ",
  lastComma: ",",
};

/** A script for PHP 8 that needs no extension. */
export function phpSnippet(request: SnippetRequest): string {
  return writeProgram(request, {
    comment: "//",
    notation: NOTATION,
    lines: ({ tokenComment, address, file, body, withToken }) => [
      "<?php",
      ...tokenComment,
      "$body = [",
      body("    "),
      "];",
      `$png = file_get_contents(${address}, false, stream_context_create([`,
      '    "http" => [',
      '        "method" => "POST",',
      '        "header" => [',
      '            "Content-Type: application/json",',
      ...withToken((variable) => `            "Authorization: Bearer " . getenv("${variable}"),`),
      "        ],",
      '        "content" => json_encode($body, JSON_THROW_ON_ERROR),',
      '        "ignore_errors" => true,',
      "    ],",
      "]));",
      'if ($png === false || !str_starts_with($png, "\\x89PNG")) {',
      '    fwrite(STDERR, $png === false ? "The service did not answer.\\n" : $png);',
      "    exit(1);",
      "}",
      `file_put_contents(${file}, $png);`,
    ],
  });
}

const JSON_FLAGS =
  "JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_LINE_TERMINATORS";

/** A script for PHP 8 that needs no extension and signs a link. */
export function phpLink(request: SnippetRequest): string {
  return writeLink(request, {
    comment: "//",
    notation: NOTATION,
    lines: ({ keyComment, address, text, body }) => [
      "<?php",
      keyComment,
      "function base64url(string $bytes): string {",
      '    return rtrim(strtr(base64_encode($bytes), "+/", "-_"), "=");',
      "}",
      "",
      '[$id, $secret] = explode(":", getenv("PLATEN_LINK_KEY"), 2);',
      ...(text === undefined
        ? [
            "// Keep the keys sorted, at every level.",
            "$body = [",
            body("    "),
            "];",
            `$json = json_encode($body, ${JSON_FLAGS});`,
          ]
        : [`$json = ${text};`]),
      "$payload = base64url($json);",
      '$signature = base64url(hash_hmac("sha256", "$id/$payload", $secret, true));',
      `echo implode("/", [${address}, $id, $signature, $payload]), ".png\\n";`,
    ],
  });
}
