import type { Tag } from "#lib/http/route/operation.ts";

export const RENDERING: Tag = { name: "Rendering", description: "From a template and edits to a PNG." };

export const TEMPLATES: Tag = { name: "Templates", description: "The templates, and what they look like." };

export const SIGNING_IN: Tag = { name: "Signing in", description: "Beginning and ending a session." };

export const OWN_ACCOUNT: Tag = {
  name: "Own account",
  description: "The account of the signed-in user, and its sessions.",
};

export const TOKENS: Tag = { name: "Tokens", description: "API tokens, with which scripts render." };

export const USERS: Tag = { name: "Users", description: "All accounts, for administrators." };

export const MONITORING: Tag = { name: "Monitoring", description: "How the service does, and what happened." };
