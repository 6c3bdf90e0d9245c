import type { ConfigFault } from "./config-error.ts";
import { InvalidValue, type Kind } from "./kinds.ts";

/** The address of a store. The key of an object is appended to `base`. Credentials in the address are optional. */
export type StoreAddress = { base: string; accessKeyId: string | undefined; secretAccessKey: string | undefined };

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new InvalidValue("got a percent sign that encodes no character, want %25 for a percent sign");
  }
}

/** The address of a bucket, or of a folder in one. It is never quoted, because it may contain a secret. */
export const storeAddress: Kind<StoreAddress> = (value) => {
  const url = URL.parse(value);
  if (
    !url ||
    !/^https?:$/.test(url.protocol) ||
    url.search ||
    url.hash ||
    (url.password === "") !== (url.username === "")
  )
    throw new InvalidValue(
      "want the address of a bucket, such as https://s3.eu-central-1.amazonaws.com/my-bucket/pictures",
    );
  const read = (text: string) => (text === "" ? undefined : decoded(text));
  const [accessKeyId, secretAccessKey] = [read(url.username), read(url.password)];
  return { base: `${url.origin}${url.pathname.replace(/\/*$/, "/")}`, accessKeyId, secretAccessKey };
};

/** A part of the credentials, or a region: they are in headers. It is never quoted, because it may be a secret. */
export const credential: Kind<string> = (value) => {
  const word = value.trim();
  if (/^[!-~]+$/.test(word)) return word;
  throw new InvalidValue(
    `got ${[...value].length} characters, of which some are no printable ASCII, want it in one line without spaces`,
  );
};

type Credentials = { accessKeyId: string | undefined; secretAccessKey: string | undefined };

/** The faults of a store whose settings can be read: it needs both parts of its credentials. */
export function credentialFaults(address: StoreAddress | undefined, own: Credentials): ConfigFault[] {
  if (!address || address.secretAccessKey !== undefined) return [];
  const missing = [
    ...(own.accessKeyId === undefined ? ["AWS_ACCESS_KEY_ID"] : []),
    ...(own.secretAccessKey === undefined ? ["AWS_SECRET_ACCESS_KEY"] : []),
  ];
  return missing.map((variable) => ({
    variable,
    message: "got nothing, want the credentials of SERVICE_CACHE_S3_URL, here or in that address",
  }));
}

/** A store and the credentials to use it with. */
export type StoreConfig = {
  /** The address that the key of an object is appended to. */
  base: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken: string | undefined;
};

type StoreSettings = Credentials & Pick<StoreConfig, "region" | "sessionToken">;

/** Credentials in the address win over those of the environment, and the session token belongs to the latter. */
export function storeAt(address: StoreAddress, { region, sessionToken, ...own }: StoreSettings): StoreConfig {
  const { base, accessKeyId = own.accessKeyId ?? "", secretAccessKey = own.secretAccessKey ?? "" } = address;
  const isFromEnvironment = address.secretAccessKey === undefined;
  return { base, region, accessKeyId, secretAccessKey, sessionToken: isFromEnvironment ? sessionToken : undefined };
}
