/** The path that every link begins with. */
export const LINK_ROOT = "/api/service/links/";

/** The longest payload in characters of base64url: 6 kB of JSON. Proxies and servers take addresses of 8 to 16 kB. */
export const PAYLOAD_CHARS = 8_192;
