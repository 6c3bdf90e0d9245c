import { phpString } from "./literal.ts";
import { writeProgram } from "./program.ts";
import { dataUrlPrefix, type SnippetRequest } from "./snippet.ts";

/** A script for PHP 8 that needs no extension. */
export function phpSnippet(request: SnippetRequest): string {
  return writeProgram(request, {
    comment: "//",
    notation: {
      key: (name) => `"${name}" => `,
      braces: ["[", "]"],
      string: phpString,
      image: (image) =>
        `${phpString(dataUrlPrefix(image))} . base64_encode(file_get_contents(${phpString(image.file)}))`,
      indent: "    ",
      lastComma: ",",
    },
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
