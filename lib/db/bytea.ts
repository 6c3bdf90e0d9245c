/**
 * Reads the text of a `bytea`. The driver reads `bytea_output = hex` only. A database or a role may have `escape`: ASCII as it is,
 * other bytes as octal numbers, and each backslash twice.
 * @see https://www.postgresql.org/docs/current/datatype-binary.html
 */
function parse(text: string): Buffer {
  if (text.startsWith("\\x")) return Buffer.from(text.slice(2), "hex");
  const characters = text.replace(/\\(\\|[0-7]{3})/g, (_, code: string) =>
    code === "\\" ? code : String.fromCharCode(Number.parseInt(code, 8)),
  );
  return Buffer.from(characters, "latin1");
}

const serialize = (bytes: Buffer) => `\\x${bytes.toString("hex")}`;

const OID = 17;

/** The type `bytea`, for the driver. */
export const BYTEA = { to: OID, from: [OID], serialize, parse };
