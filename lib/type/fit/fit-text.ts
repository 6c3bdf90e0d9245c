import { Containment } from "./containment.ts";
import { DrawnText } from "./drawn-text.ts";
import type { Fit } from "./fit-rule.ts";
import { FITTING_ROUNDS, Fitting } from "./fitting.ts";
import { HeldPage } from "./held-page.ts";
import { InkMeter } from "./ink-meter.ts";
import { JapanesePhrases } from "./japanese-phrases.ts";
import { LinePlacing } from "./line-placing.ts";
import { LineWriter } from "./line-writer.ts";
import { OpticalEdges } from "./optical-edges.ts";
import { PageReport } from "./page-report.ts";
import { PARAGRAPH_COSTS, Paragraph } from "./paragraph.ts";
import { PlainTexts } from "./plain-texts.ts";
import { RoomSharing } from "./room-sharing.ts";
import { SizeSearch } from "./size-search.ts";
import { TextCut } from "./text-cut.ts";
import { TextProbe } from "./text-probe.ts";
import { UprightCells } from "./upright-cells.ts";

/**
 * The JavaScript expression that fits all texts of a document and measures it. Its value is of type `Measurements`, and the
 * entry "fit" of the page's timeline has the time that the texts took. The classes are put together here, because the names
 * between them do not survive minification.
 */
export function measureExpression(rules: Record<string, Fit>): string {
  const paragraphOf = `(atoms) => new (${Paragraph.toString()})(atoms, ${JSON.stringify(PARAGRAPH_COSTS)})`;
  return `(() => {
    const start = performance.now();
    const paragraphOf = ${paragraphOf};
    const placing = new (${LinePlacing.toString()})();
    const search = new (${SizeSearch.toString()})(placing, new (${TextCut.toString()})(paragraphOf));
    const drawn = new (${DrawnText.toString()})(placing);
    const meter = new (${InkMeter.toString()})();
    const probe = new (${TextProbe.toString()})(meter, {
      phrases: new (${JapanesePhrases.toString()})(),
      edges: new (${OpticalEdges.toString()})(meter),
    });
    const fitting = new (${Fitting.toString()})(${JSON.stringify(rules)}, {
      page: new (${HeldPage.toString()})(),
      probe,
      plain: new (${PlainTexts.toString()})(probe, placing),
      writer: new (${LineWriter.toString()})(),
      containment: new (${Containment.toString()})(),
      placing,
      search,
      drawn,
      sharing: new (${RoomSharing.toString()})(search, drawn),
      paragraphOf,
    }, ${FITTING_ROUNDS});
    new (${UprightCells.toString()})().placeAll();
    const fits = fitting.fitAll();
    performance.measure("fit", { start });
    return new (${PageReport.toString()})().read(fits);
  })()`;
}
