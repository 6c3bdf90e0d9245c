import { accessEnabled } from "#lib/config.ts";
import type { ImageHost } from "#lib/image-hosts.ts";
import { requireRenderConfig } from "#lib/render/render-config.ts";
import { count, detail, type Finding } from "./finding.ts";

function originOf({ protocol, hostname, isWildcard, port }: ImageHost): string {
  return `${protocol}//${isWildcard ? "*." : ""}${hostname}${port && `:${port}`}`;
}

/** In open mode anyone may read this, so names of a private network are left out. */
function privateNames(hosts: ImageHost[]): string {
  if (hosts.length === 0) return "none";
  return accessEnabled() ? hosts.map(originOf).join(", ") : count(hosts.length, "host");
}

/** The hosts that the service may fetch images from. Browsers fetch nothing at all. */
export function lookAtOutbound(): Finding {
  const { hosts, maxBytes, timeoutMs } = requireRenderConfig().images;
  const [inside, outside] = [hosts.filter((host) => host.isPrivate), hosts.filter((host) => !host.isPrivate)];
  const details = [
    detail("Hosts (SERVICE_IMAGE_HOSTS)", outside.map(originOf).join(", ") || "none"),
    detail("Hosts in private networks (SERVICE_IMAGE_PRIVATE_HOSTS)", privateNames(inside)),
    detail("One image at most", maxBytes, "bytes"),
    detail("Deadline of one image", timeoutMs, "milliseconds"),
  ];
  if (hosts.length === 0)
    return { state: "ok", summary: "No image is fetched: images come in the request itself.", details };
  const plain = outside.filter(({ protocol }) => protocol === "http:");
  if (plain.length > 0) {
    const summary = `Images of ${count(plain.length, "public host")} are fetched over plain http, where anyone on the network path can change them.`;
    return { state: "warning", summary, remedy: "Name the hosts in SERVICE_IMAGE_HOSTS without http://.", details };
  }
  return {
    state: "ok",
    summary: `Images are fetched from ${count(hosts.length, "named host")} only.`,
    details,
  };
}
