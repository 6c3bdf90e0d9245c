import { createSign, generateKeyPairSync } from "node:crypto";
import { isIPv4 } from "node:net";

/** One value of ASN.1 in its DER encoding. */
function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const length = content.length < 0x80 ? [content.length] : [0x82, content.length >> 8, content.length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}

const sequence = (...parts: Buffer[]) => der(0x30, ...parts);
const oid = (hex: string) => der(0x06, Buffer.from(hex, "hex"));
const time = (text: string) => der(0x17, Buffer.from(text));

/** ecdsa-with-SHA256 */
const ALGORITHM = sequence(oid("2a8648ce3d040302"));

/** As in the list of names of a certificate: a host name, or the bytes of an address. */
function subjectName(host: string): Buffer {
  return isIPv4(host) ? der(0x87, Buffer.from(host.split(".").map(Number))) : der(0x82, Buffer.from(host));
}

/** A self-signed certificate for one host name or IPv4 address, with its key, both in PEM. */
export function selfSigned(hostname: string): { cert: string; key: string } {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const name = sequence(der(0x31, sequence(oid("550403"), der(0x0c, Buffer.from(hostname)))));
  const names = sequence(subjectName(hostname));
  const extensions = der(0xa3, sequence(sequence(oid("551d11"), der(0x04, names))));
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    ALGORITHM,
    name,
    sequence(time("250101000000Z"), time("491231235959Z")),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    extensions,
  );
  const signature = createSign("sha256").update(body).sign(privateKey);
  const whole = sequence(body, ALGORITHM, der(0x03, Buffer.from([0]), signature));
  const lines = whole.toString("base64").match(/.{1,64}/g) ?? [];
  return {
    cert: ["-----BEGIN CERTIFICATE-----", ...lines, "-----END CERTIFICATE-----", ""].join("\n"),
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  };
}
