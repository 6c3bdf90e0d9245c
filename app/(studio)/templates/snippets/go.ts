import { writeLink } from "./link-program.ts";
import { goString } from "./literal.ts";
import { type Notation, type Parts, writeProgram } from "./program.ts";
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

const NOTATION: Notation = {
  key: (name) => `"${name}": `,
  braces: ["map[string]any{", "}"],
  brackets: ["[]any{", "}"],
  string: goString,
  image: (image) => `${goString(dataUrlPrefix(image))} + readBase64(${goString(image.file)})`,
  none: "nil",
  indent: "\t",
  lastComma: ",",
};

/** A program for Go 1.18 or later that uses only the standard library. */
export function goSnippet(request: SnippetRequest): string {
  return writeProgram(request, {
    comment: "//",
    notation: NOTATION,
    lines,
  });
}

const LINK_IMPORTS = ["crypto/hmac", "crypto/sha256", "encoding/base64", "fmt", "os", "strings"];

const ENCODE = [
  "\tvar text bytes.Buffer",
  "\tencoder := json.NewEncoder(&text)",
  "\tencoder.SetEscapeHTML(false)",
  "\tif err := encoder.Encode(body); err != nil {",
  "\t\tlog.Fatal(err)",
  "\t}",
  "\tcontent := bytes.TrimSpace(text.Bytes())",
];

/** A program for Go 1.18 or later that uses only the standard library and signs a link. */
export function goLink(request: SnippetRequest): string {
  return writeLink(request, {
    comment: "//",
    notation: NOTATION,
    lines: ({ keyComment, address, text, body }) => [
      keyComment,
      "package main",
      "",
      "import (",
      ...[...LINK_IMPORTS, ...(text === undefined ? ["bytes", "encoding/json", "log"] : [])]
        .toSorted()
        .map((name) => `\t"${name}"`),
      ")",
      "",
      "func main() {",
      '\tid, secret, _ := strings.Cut(os.Getenv("PLATEN_LINK_KEY"), ":")',
      ...(text === undefined
        ? ["\tbody := map[string]any{", body("\t\t"), "\t}", ...ENCODE]
        : [`\tcontent := []byte(${text})`]),
      "\tpayload := base64.RawURLEncoding.EncodeToString(content)",
      "\tmac := hmac.New(sha256.New, []byte(secret))",
      '\tmac.Write([]byte(id + "/" + payload))',
      "\tsignature := base64.RawURLEncoding.EncodeToString(mac.Sum(nil))",
      `\tfmt.Println(strings.Join([]string{${address}, id, signature, payload}, "/") + ".png")`,
      "}",
    ],
  });
}
