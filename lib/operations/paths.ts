/**
 * The path of every operation. The server, which is not bundled, counts requests by them and must start without loading
 * the operations, which bring the database driver and the renderer.
 */
export const PATHS = {
  render: "/api/service/images/render",
  explain: "/api/service/images/explain",
  link: "/api/service/links/{keyId}/{signature}/{payload}.png",
  templates: "/api/service/templates",
  template: "/api/service/templates/{slug}",
  thumbnail: "/api/service/thumbnails/{slug}",
  proof: "/api/service/proofs/{slug}",
  login: "/api/service/login",
  logout: "/api/service/logout",
  account: "/api/service/account",
  ownPassword: "/api/service/account/password",
  ownSessions: "/api/service/account/sessions",
  ownSession: "/api/service/account/sessions/{id}",
  unknownLogins: "/api/service/account/unknown-logins",
  unknownLogin: "/api/service/account/unknown-logins/{id}",
  unknownLoginSession: "/api/service/account/unknown-logins/{id}/session",
  tokens: "/api/service/tokens",
  token: "/api/service/tokens/{id}",
  tokenUsage: "/api/service/tokens/usage",
  users: "/api/service/users",
  user: "/api/service/users/{id}",
  userPassword: "/api/service/users/{id}/password",
  userTokens: "/api/service/users/{id}/tokens",
  userTokenUsage: "/api/service/users/{id}/tokens/usage",
  status: "/api/service/status",
  scriptSamples: "/api/service/status/scripts",
  audit: "/api/service/audit",
  auditExport: "/api/service/audit/export",
  openApi: "/api/service/openapi.json",
  docs: "/api/docs{page}",
  llms: "/llms.txt",
  robots: "/robots.txt",
  health: "/healthz",
  readiness: "/readyz",
  metrics: "/metrics",
} as const;

/** The labels of the request metrics: every operation, the rewrites of `next.config.ts`, and all other paths. */
export const COUNTED_PATHS: readonly string[] = [
  ...Object.values(PATHS),
  "/docs{page}.md",
  "/api/{other}",
  "/_next/{file}",
];
