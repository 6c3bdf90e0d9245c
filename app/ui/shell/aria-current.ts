/** The `aria-current` of a link: `page` on the page it leads to, `true` on a page whose path starts with `prefix`. */
export function ariaCurrent(path: string, { href, prefix }: { href: string; prefix?: string | undefined }) {
  if (path === href) return "page";
  return prefix !== undefined && path.startsWith(prefix) ? "true" : undefined;
}
