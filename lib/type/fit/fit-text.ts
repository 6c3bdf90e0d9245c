import { Containment } from "./containment.ts";
import { DrawnText } from "./drawn-text.ts";
import type { Fit } from "./fit-rule.ts";
import { FITTING_ROUNDS, Fitting } from "./fitting.ts";
import { HeldPage } from "./held-page.ts";
import { LineWriter } from "./line-writer.ts";
import { PageReport } from "./page-report.ts";
import { PARAGRAPH_COSTS, Paragraph } from "./paragraph.ts";
import { RoomSharing } from "./room-sharing.ts";
import { SIZE_TUNING, SizeSearch } from "./size-search.ts";
import { TextProbe } from "./text-probe.ts";

/**
 * The JavaScript expression that fits all texts of a document and measures it. Its value is of type `Measurements`. The
 * classes are put together here, because the names between them do not survive minification.
 */
export function measureExpression(rules: Record<string, Fit>): string {
  const paragraphOf = `(atoms) => new (${Paragraph.toString()})(atoms, ${JSON.stringify(PARAGRAPH_COSTS)})`;
  return `(() => {
    const paragraphOf = ${paragraphOf};
    const search = new (${SizeSearch.toString()})(${JSON.stringify(SIZE_TUNING)}, paragraphOf);
    const drawn = new (${DrawnText.toString()})(search);
    const fitting = new (${Fitting.toString()})(${JSON.stringify(rules)}, {
      page: new (${HeldPage.toString()})(),
      probe: new (${TextProbe.toString()})(),
      writer: new (${LineWriter.toString()})(),
      containment: new (${Containment.toString()})(),
      search,
      drawn,
      sharing: new (${RoomSharing.toString()})(search, drawn),
      paragraphOf,
    }, ${FITTING_ROUNDS});
    return new (${PageReport.toString()})().read(fitting.fitAll());
  })()`;
}
