type Tag = { name: string; description: string; holds: RegExp };

/** The subjects of the operations, in the order that they are read in. The first that holds a path is its own. */
const TAGS: Tag[] = [
  { name: "Rendering", description: "From a template and edits to a PNG.", holds: /^\/api\/service\/images\// },
  {
    name: "Templates",
    description: "Which templates there are, and what they look like.",
    holds: /^\/api\/service\/(?:templates|thumbnails)/,
  },
  {
    name: "Signing in",
    description: "Beginning and ending a session.",
    holds: /^\/api\/service\/(?:login|logout)$/,
  },
  { name: "Own account", description: "Whoever is signed in, and their sessions.", holds: /^\/api\/service\/account/ },
  {
    name: "Tokens",
    description: "What scripts render with.",
    holds: /^\/api\/service\/(?:tokens|users\/\{id\}\/tokens)/,
  },
  { name: "Users", description: "Everyone with an account, for administrators.", holds: /^\/api\/service\/users/ },
  { name: "Watching", description: "How the service does, and what happened.", holds: /^\/api\/service\// },
];

type Paths = Record<string, Record<string, unknown>>;

function tagOf(path: string): string {
  return TAGS.find(({ holds }) => holds.test(path))?.name ?? "Watching";
}

/** The operations with the subject that each belongs to. */
export function taggedPaths(paths: Paths): Paths {
  return Object.fromEntries(
    Object.entries(paths).map(([path, item]) => {
      const tags = [tagOf(path)];
      return [
        path,
        Object.fromEntries(
          Object.entries(item).map(([method, operation]) => [method, { tags, ...(operation as object) }]),
        ),
      ];
    }),
  );
}

/** The subjects that there are operations of. */
export function usedTags(paths: Paths): { name: string; description: string }[] {
  const used = new Set(Object.keys(paths).map(tagOf));
  return TAGS.filter(({ name }) => used.has(name)).map(({ name, description }) => ({ name, description }));
}
