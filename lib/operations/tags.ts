import type { Tag } from "#lib/http/route/operation.ts";

export const RENDERING: Tag = { name: "Rendering", description: "Render a template with edits to a PNG." };

export const TEMPLATES: Tag = { name: "Templates", description: "The templates, and what they look like." };

export const SIGNING_IN: Tag = { name: "Signing in", description: "Sign in and out." };

export const OWN_ACCOUNT: Tag = {
  name: "Own account",
  description: "The account of the signed-in user, and its sessions.",
};

export const TOKENS: Tag = { name: "Tokens", description: "API tokens, which scripts use to render." };

export const USERS: Tag = { name: "Users", description: "All accounts, for administrators." };

export const MONITORING: Tag = {
  name: "Monitoring",
  description: "The state of the service, its metrics and the audit trail.",
};
