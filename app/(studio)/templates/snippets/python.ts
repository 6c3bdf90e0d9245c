import { pythonString } from "./literal.ts";
import { writeProgram } from "./program.ts";
import { dataUrlPrefix, type SnippetRequest } from "./snippet.ts";

/** A script for Python 3 that uses only the standard library. */
export function pythonSnippet(request: SnippetRequest): string {
  return writeProgram(request, {
    comment: "#",
    notation: {
      key: (name) => `"${name}": `,
      braces: ["{", "}"],
      string: pythonString,
      image: (image) =>
        `${pythonString(dataUrlPrefix(image))} + b64encode(Path(${pythonString(image.file)}).read_bytes()).decode()`,
      boolean: (value) => (value ? "True" : "False"),
      none: "None",
      indent: "    ",
      lastComma: ",",
    },
    lines: ({ tokenComment, address, file, body, withToken, withImages }) => [
      ...tokenComment,
      "import json",
      ...withToken(() => "import os"),
      ...withImages("from base64 import b64encode"),
      "from pathlib import Path",
      "from urllib.error import HTTPError",
      "from urllib.request import Request, urlopen",
      "",
      "body = {",
      body("    "),
      "}",
      "request = Request(",
      `    ${address},`,
      "    data=json.dumps(body).encode(),",
      "    headers={",
      '        "Content-Type": "application/json",',
      ...withToken((variable) => `        "Authorization": "Bearer " + os.environ["${variable}"],`),
      "    },",
      ")",
      "try:",
      "    with urlopen(request) as response:",
      `        Path(${file}).write_bytes(response.read())`,
      "except HTTPError as error:",
      "    raise SystemExit(error.read().decode())",
    ],
  });
}
