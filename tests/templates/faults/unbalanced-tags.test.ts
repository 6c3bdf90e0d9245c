import { describe, expect, it, test } from "vitest";
import { unbalancedTags } from "#lib/templates/markup/unbalanced-tags.ts";
import { faultsOf } from "./faults-of.ts";

const told = (source: string) => unbalancedTags(source, ["form"]).map(({ line, reason }) => `${line} ${reason}`);

describe("a fault", () => {
  it.each([
    [
      "an element without its end",
      "<main>\n<div>x</main>",
      "2 Got <div> without its end. Write </div> before </main>.",
    ],
    ["one at the end of the file", "x\n<div>x<p>y", "2 Got <div> without its end. Write </div> after its content."],
    ["an end without its element", "<div>x</div>\n</div>", "2 Got </div>, but no <div> is open. Remove it."],
    ["the end of an element without content", "<br></br>", "1 Got </br>, but no <br> is open. Remove it."],
    ["elements in the wrong order", "<b><i>x</b></i>", "1 Got <i> without its end. Write </i> before </b>."],
    [
      "a slash that HTML ignores",
      "<div/>x",
      "1 Got <div/>, which HTML reads as <div>. Write </div> after its content.",
    ],
    ["one in a drawing", "<svg><g></svg>", "1 Got <g> without its end. Write </g> before </svg>."],
    ["a slash after a drawing", "<svg/><i/>", "1 Got <i/>, which HTML reads as <i>. Write </i> after its content."],
    [
      "one in a first branch",
      "{% if a %}<b>{% else %}x{% endif %}",
      "1 Got <b> without its end. Write </b> after its content.",
    ],
    [
      "one in a last branch",
      "{% if a %}x{% else %}<b>{% endif %}",
      "1 Got <b> without its end. Write </b> after its content.",
    ],
    [
      "a quote that is missing, told instead of what follows from it",
      '<main>\n<i class="author>x</i>\n</main>',
      "2 Got a tag that does not end. Close the quote of its last attribute, and write > after it.",
    ],
    [
      "a quote that ends in the next tag",
      '<main>\n<i class="author>x</i><b class="y">z</b></main>',
      "2 Got a tag that does not end. Close the quote of its last attribute, and write > after it.",
    ],
  ])("is %s", (_, source, wanted) => {
    expect(told(source)).toEqual([wanted]);
  });
});

describe("no fault", () => {
  it.each([
    ["an end that may be left out", "<ul><li>a<li>b</ul><table><tr><td>a</table><p>x"],
    ["elements without content", '<br><img src="x"><wbr/><hr>'],
    ["elements of a drawing that end themselves", '<svg><path d="M0"/><g><circle/></g></svg>'],
    ["an element that two branches open", "{% if a %}<div>{% elsif b %}<div>{% else %}<div>{% endif %}x</div>"],
    ["one that each case opens", "{% case a %}\n{% when 1 %}<b>{% when 2 %}<b>{% else %}<b>{% endcase %}</b>"],
    ["one that a branch opens and another closes", "{% if a %}<a>{% endif %}x{% if a %}</a>{% endif %}"],
    ["branches in branches", "{% if a %}<b>{% if c %}<i>{% else %}<i>{% endif %}</i>{% else %}<b>{% endif %}</b>"],
    ["comments", "{% comment %}<b>{% else %}{% endcomment %}<!-- <i> -->"],
    ["brackets in Liquid", `<p title="{{ a | replace: '<b>', '</i>' }}">{% if a == "<u>" %}x{% endif %}</p>`],
    ["what has a fault of its own", "<form><b>x</b>"],
    ["tags with a level in their name", "<h{{ level }}>x</h{{ level }}>"],
  ])("is %s", (_, source) => {
    expect(told(source)).toEqual([]);
  });
});

test("a template with such a fault is not served, and the fault has its file and line", async () => {
  const faults = await faultsOf({ "template.html": "<h1>{{ title }}</h1>\n<section>\n<p>x" });
  expect(faults).toEqual([
    expect.stringMatching(/template\.html:2 .*Got <section> without its end\. Write <\/section> after its content\.$/),
  ]);
});
