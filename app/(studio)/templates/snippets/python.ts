import { writeLink } from "./link-program.ts";
import { pythonString } from "./literal.ts";
import { type Notation, writeProgram } from "./program.ts";
import { dataUrlPrefix, type SnippetRequest } from "./snippet.ts";

const NOTATION: Notation = {
  key: (name) => `"${name}": `,
  braces: ["{", "}"],
  string: pythonString,
  image: (image) =>
    `${pythonString(dataUrlPrefix(image))} + b64encode(Path(${pythonString(image.file)}).read_bytes()).decode()`,
  boolean: (value) => (value ? "True" : "False"),
  none: "None",
  indent: "    ",
  lastComma: ",",
};

/** A script for Python 3 that uses only the standard library. */
export function pythonSnippet(request: SnippetRequest): string {
  return writeProgram(request, {
    comment: "#",
    notation: NOTATION,
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

/** A script for Python 3 that uses only the standard library and signs a link. */
export function pythonLink(request: SnippetRequest): string {
  return writeLink(request, {
    comment: "#",
    notation: NOTATION,
    lines: ({ keyComment, address, text, body }) => [
      keyComment,
      "import hmac",
      ...(text === undefined ? ["import json"] : []),
      "import os",
      "from base64 import urlsafe_b64encode",
      "",
      "def base64url(content):",
      '    return urlsafe_b64encode(content).decode().rstrip("=")',
      "",
      'key_id, secret = os.environ["PLATEN_LINK_KEY"].split(":", 1)',
      ...(text === undefined
        ? [
            "body = {",
            body("    "),
            "}",
            'text = json.dumps(body, ensure_ascii=False, separators=(",", ":"), sort_keys=True)',
          ]
        : [`text = ${text}`]),
      "payload = base64url(text.encode())",
      'signature = base64url(hmac.digest(secret.encode(), f"{key_id}/{payload}".encode(), "sha256"))',
      `print("/".join([${address}, key_id, signature, payload]) + ".png")`,
    ],
  });
}
