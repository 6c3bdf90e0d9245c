import { phpString } from "./literal.ts";
import { bodyLines, indented } from "./literal-lines.ts";
import {
  dataUrlPrefix,
  pictureFile,
  renderAddress,
  type SnippetRequest,
  TOKEN_VARIABLE,
  tokenComment,
} from "./snippet.ts";

/** A script for PHP 8, without an extension. */
export function phpSnippet(request: SnippetRequest): string {
  const body = bodyLines(request, {
    key: (name) => `"${name}" => `,
    braces: ["[", "]"],
    string: phpString,
    image: (image) => `${phpString(dataUrlPrefix(image))} . base64_encode(file_get_contents(${phpString(image.file)}))`,
    indent: "    ",
    lastComma: ",",
  });
  return [
    "<?php",
    ...tokenComment(request, "//"),
    "$body = [",
    indented(body, "    "),
    "];",
    `$png = file_get_contents(${phpString(renderAddress(request))}, false, stream_context_create([`,
    '    "http" => [',
    '        "method" => "POST",',
    '        "header" => [',
    '            "Content-Type: application/json",',
    ...(request.needsToken ? [`            "Authorization: Bearer " . getenv("${TOKEN_VARIABLE}"),`] : []),
    "        ],",
    '        "content" => json_encode($body, JSON_THROW_ON_ERROR),',
    '        "ignore_errors" => true,',
    "    ],",
    "]));",
    'if ($png === false || !str_starts_with($png, "\\x89PNG")) {',
    '    fwrite(STDERR, $png === false ? "The service did not answer.\\n" : $png);',
    "    exit(1);",
    "}",
    `file_put_contents(${phpString(pictureFile(request))}, $png);`,
  ].join("\n");
}
