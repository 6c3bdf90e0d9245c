/** What `aria-current` says of a link to `href`: `page` on that page itself, `true` on one whose path begins with `below`. */
export function currentness(path: string, { href, below }: { href: string; below?: string | undefined }) {
  if (path === href) return "page";
  return below !== undefined && path.startsWith(below) ? "true" : undefined;
}
