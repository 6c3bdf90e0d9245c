import { expect, test, vi } from "vitest";
import { PageReport } from "#lib/type/fit/page-report.ts";

test("every code of a page is measured before one of them is changed, so that the page is laid out once", () => {
  const acts: string[] = [];
  const codeOf = (field: string) => ({
    dataset: { qr: field },
    naturalWidth: 21,
    naturalHeight: 21,
    complete: true,
    src: "data:image/png;base64,",
    checkVisibility: () => true,
    style: new Proxy({} as Record<string, string>, {
      set(style, name: string, value: string) {
        acts.push("change");
        style[name] = value;
        return true;
      },
    }),
  });
  const codes = ["a", "b", "c"].map(codeOf);
  vi.stubGlobal("document", {
    images: codes,
    fonts: [],
    querySelectorAll: (selector: string) => (selector.includes("data-") ? codes : []),
  });
  vi.stubGlobal("getComputedStyle", () => ({
    boxSizing: "content-box",
    getPropertyValue(name: string) {
      acts.push("measure");
      return name === "width" || name === "height" ? "50px" : "0px";
    },
  }));
  const { codes: outcomes } = new PageReport().read([]);
  expect(outcomes).toEqual(["a", "b", "c"].map((field) => ({ field, room: 50 / 21 })));
  expect(codes.map(({ style }) => style.width)).toEqual(["42px", "42px", "42px"]);
  expect(acts.lastIndexOf("measure")).toBeLessThan(acts.indexOf("change"));
});
