import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { MarkdownLink } from "../../../app/docs/markdown/inline.tsx";

const shown = (href: string) => renderToStaticMarkup(createElement(MarkdownLink, { href }, "words"));

it.each([
  "javascript:alert(1)",
  "JavaScript:alert(1)",
  "data:text/html,x",
  "vbscript:x",
  "docs/decisions",
  "//evil.example/x",
  "/\\evil.example/x",
  "/\t/evil.example/x",
])("anything but a web address or a path of the service is not a link: %s", (href) => {
  expect(shown(href)).toBe("words");
});

it.each(["#anchor", "/docs/errors", "/docs.md", "/api/service/openapi.json", "https://example.com/"])(
  "%s is a link",
  (href) => {
    expect(shown(href)).toContain(`href="${href}"`);
  },
);
