import { pythonString } from "./literal.ts";
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

/** A script for Python 3, with its standard library alone. */
export function pythonSnippet(request: SnippetRequest): string {
  const body = bodyLines(request, {
    key: (name) => `"${name}": `,
    braces: ["{", "}"],
    string: pythonString,
    image: (image) =>
      `${pythonString(dataUrlPrefix(image))} + b64encode(Path(${pythonString(image.file)}).read_bytes()).decode()`,
    boolean: (value) => (value ? "True" : "False"),
    indent: "    ",
    lastComma: ",",
  });
  return [
    ...tokenComment(request, "#"),
    "import json",
    ...(request.needsToken ? ["import os"] : []),
    ...(hasImages(request) ? ["from base64 import b64encode"] : []),
    "from pathlib import Path",
    "from urllib.error import HTTPError",
    "from urllib.request import Request, urlopen",
    "",
    "body = {",
    indented(body, "    "),
    "}",
    "request = Request(",
    `    ${pythonString(renderAddress(request))},`,
    "    data=json.dumps(body).encode(),",
    "    headers={",
    '        "Content-Type": "application/json",',
    ...(request.needsToken ? [`        "Authorization": "Bearer " + os.environ["${TOKEN_VARIABLE}"],`] : []),
    "    },",
    ")",
    "try:",
    "    with urlopen(request) as response:",
    `        Path(${pythonString(pictureFile(request))}).write_bytes(response.read())`,
    "except HTTPError as error:",
    "    raise SystemExit(error.read().decode())",
  ].join("\n");
}
