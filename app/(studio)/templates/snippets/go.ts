import { goString } from "./literal.ts";
import { type Parts, writeProgram } from "./program.ts";
import { dataUrlPrefix, type SnippetRequest } from "./snippet.ts";

const STOP_ON_ERROR = ["\tif err != nil {", "\t\tlog.Fatal(err)", "\t}"];

const READ_BASE64 = [
  "",
  "func readBase64(path string) string {",
  "\tcontent, err := os.ReadFile(path)",
  ...STOP_ON_ERROR,
  "\treturn base64.StdEncoding.EncodeToString(content)",
  "}",
];

function imports({ withImages }: Parts): string[] {
  const packages = ["bytes", ...withImages("encoding/base64"), "encoding/json", "io", "log", "net/http", "os"];
  return ["import (", ...packages.map((name) => `\t"${name}"`), ")"];
}

function lines(parts: Parts): string[] {
  const { tokenComment, address, file, body, withToken, withImages } = parts;
  return [
    ...tokenComment,
    "package main",
    "",
    ...imports(parts),
    "",
    "func main() {",
    "\tbody, err := json.Marshal(map[string]any{",
    body("\t\t"),
    "\t})",
    ...STOP_ON_ERROR,
    `\trequest, err := http.NewRequest("POST", ${address}, bytes.NewReader(body))`,
    ...STOP_ON_ERROR,
    '\trequest.Header.Set("Content-Type", "application/json")',
    ...withToken((variable) => `\trequest.Header.Set("Authorization", "Bearer "+os.Getenv("${variable}"))`),
    "\tresponse, err := http.DefaultClient.Do(request)",
    ...STOP_ON_ERROR,
    "\tdefer response.Body.Close()",
    "\tpng, err := io.ReadAll(response.Body)",
    ...STOP_ON_ERROR,
    "\tif response.StatusCode != http.StatusOK {",
    '\t\tlog.Fatalf("%s: %s", response.Status, png)',
    "\t}",
    `\tif err := os.WriteFile(${file}, png, 0o644); err != nil {`,
    "\t\tlog.Fatal(err)",
    "\t}",
    "}",
    ...withImages(...READ_BASE64),
  ];
}

/** A program for Go 1.18 or later that uses only the standard library. */
export function goSnippet(request: SnippetRequest): string {
  return writeProgram(request, {
    comment: "//",
    notation: {
      key: (name) => `"${name}": `,
      braces: ["map[string]any{", "}"],
      brackets: ["[]any{", "}"],
      string: goString,
      image: (image) => `${goString(dataUrlPrefix(image))} + readBase64(${goString(image.file)})`,
      none: "nil",
      indent: "\t",
      lastComma: ",",
    },
    lines,
  });
}
