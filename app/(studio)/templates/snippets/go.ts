import { goString } from "./literal.ts";
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

const STOP_ON_ERROR = ["\tif err != nil {", "\t\tlog.Fatal(err)", "\t}"];

const READ_BASE64 = [
  "",
  "func readBase64(path string) string {",
  "\tcontent, err := os.ReadFile(path)",
  ...STOP_ON_ERROR,
  "\treturn base64.StdEncoding.EncodeToString(content)",
  "}",
];

function imports(request: SnippetRequest): string[] {
  const packages = ["bytes", ...(hasImages(request) ? ["encoding/base64"] : []), "encoding/json"];
  return ["import (", ...[...packages, "io", "log", "net/http", "os"].map((name) => `\t"${name}"`), ")"];
}

/** A program for Go 1.18 or later, with its standard library alone. */
export function goSnippet(request: SnippetRequest): string {
  const body = bodyLines(request, {
    key: (name) => `"${name}": `,
    braces: ["map[string]any{", "}"],
    string: goString,
    image: (image) => `${goString(dataUrlPrefix(image))} + readBase64(${goString(image.file)})`,
    indent: "\t",
    lastComma: ",",
  });
  return [
    ...tokenComment(request, "//"),
    "package main",
    "",
    ...imports(request),
    "",
    "func main() {",
    "\tbody, err := json.Marshal(map[string]any{",
    indented(body, "\t\t"),
    "\t})",
    ...STOP_ON_ERROR,
    `\trequest, err := http.NewRequest("POST", ${goString(renderAddress(request))}, bytes.NewReader(body))`,
    ...STOP_ON_ERROR,
    '\trequest.Header.Set("Content-Type", "application/json")',
    ...(request.needsToken ? [`\trequest.Header.Set("Authorization", "Bearer "+os.Getenv("${TOKEN_VARIABLE}"))`] : []),
    "\tresponse, err := http.DefaultClient.Do(request)",
    ...STOP_ON_ERROR,
    "\tdefer response.Body.Close()",
    "\tpng, err := io.ReadAll(response.Body)",
    ...STOP_ON_ERROR,
    "\tif response.StatusCode != http.StatusOK {",
    '\t\tlog.Fatalf("%s: %s", response.Status, png)',
    "\t}",
    `\tif err := os.WriteFile(${goString(pictureFile(request))}, png, 0o644); err != nil {`,
    "\t\tlog.Fatal(err)",
    "\t}",
    "}",
    ...(hasImages(request) ? READ_BASE64 : []),
  ].join("\n");
}
