import { expect, test } from "vitest";
import { faultsOf } from "./faults/faults-of.ts";

const ELEMENTS = [
  ..."script noscript iframe frame frameset object embed applet portal fencedframe".split(" "),
  ..."link meta base title style template html head body".split(" "),
  ..."form input button select textarea video audio source track picture marquee".split(" "),
];
const SVG_ELEMENTS = ["foreignObject", "animate", "animateMotion", "animateTransform", "set"];

/** Checks that every line of a body has the fault that belongs to it, and no other. */
async function expectFaults(lines: { html: string; fault: string }[]): Promise<void> {
  const faults = await faultsOf({
    "template.html": ["<p>{{ title }}</p>", ...lines.map(({ html }) => html)].join("\n"),
  });
  const wanted = lines.map(({ fault }, index) => expect.stringContaining(`template.html:${index + 2} ${fault}`));
  expect(faults).toHaveLength(wanted.length);
  expect(faults).toEqual(expect.arrayContaining(wanted));
}

test("every element that does more than draw is refused", async () => {
  await expectFaults([
    ...ELEMENTS.map((name) => ({ html: `<${name}></${name}>`, fault: `<${name}> is refused` })),
    ...SVG_ELEMENTS.map((name) => ({ html: `<svg><${name}></${name}></svg>`, fault: `<${name}> is refused` })),
  ]);
});

test("every attribute that does more than draw is refused", async () => {
  const names = ["onload", "srcset", "srcdoc", "formaction", "ping", "http-equiv", "manifest", "autofocus"];
  await expectFaults(names.map((name) => ({ html: `<i ${name}="x"></i>`, fault: `The attribute ${name} is refused` })));
});

test("no attribute takes an address outside the template", async () => {
  const names = ["src", "href", "poster", "background", "data", "action", "cite", "longdesc", "xlink:href"];
  await expectFaults(
    names.map((name) => ({
      html: `<svg><a ${name}="//example.com/x"></a></svg>`,
      fault: `Got ${name}="//example.com/x", want an image field`,
    })),
  );
});

test("a style attribute takes no address", async () => {
  const values = ["url(//example.com/x)", "image-set('//example.com/x' 1x)", "\\75rl(//example.com/x)"];
  await expectFaults(
    values.map((value) => ({ html: `<p style="background: ${value}">x</p>`, fault: "Got an address or an escape" })),
  );
});
