import { ChartLabels } from "../chart-labels.ts";
import { CodeRows } from "../code-rows.ts";
import { keptInPage } from "../kept-in-page.ts";
import { Segmenters } from "../segmenters.ts";
import { BreakMarks } from "./break-marks.ts";
import { Containment } from "./containment.ts";
import { DrawnText } from "./drawn-text.ts";
import type { Fit } from "./fit-rule.ts";
import { FITTING_ROUNDS, Fitting } from "./fitting.ts";
import { HeldPage } from "./held-page.ts";
import { InkMeter } from "./ink-meter.ts";
import { LinePlacing } from "./line-placing.ts";
import { LineWriter } from "./line-writer.ts";
import { JapanesePhrases } from "./lines/japanese-phrases.ts";
import { PARAGRAPH_COSTS, Paragraph } from "./lines/paragraph.ts";
import { OpticalEdges } from "./optical-edges.ts";
import { PageReport } from "./page-report.ts";
import { PlainTexts } from "./plain-texts.ts";
import { RoomSharing } from "./room-sharing.ts";
import { LineQuality, SizeSearch } from "./size-search.ts";
import { TextCut } from "./text-cut.ts";
import { TextProbe } from "./text-probe.ts";
import { UprightCells } from "./upright-cells.ts";

const CLASSES = {
  BreakMarks,
  ChartLabels,
  CodeRows,
  Containment,
  DrawnText,
  Fitting,
  HeldPage,
  InkMeter,
  JapanesePhrases,
  LinePlacing,
  LineQuality,
  LineWriter,
  OpticalEdges,
  PageReport,
  Paragraph,
  PlainTexts,
  RoomSharing,
  Segmenters,
  SizeSearch,
  TextCut,
  TextProbe,
  UprightCells,
};

/** The classes by their names, which do not survive minification. */
const ENGINE = keptInPage("fitting", `{${Object.entries(CLASSES).map(([name, source]) => `${name}: ${source}`)}}`);

/**
 * The JavaScript expression that fits all texts of a document and measures it. Its value is of type `Measurements`, and the
 * entry "fit" of the page's timeline has the time that the texts took.
 */
export function measureExpression(rules: Record<string, Fit>): string {
  return `(() => {
    performance.clearMeasures("fit");
    const start = performance.now();
    const engine = ${ENGINE};
    const segmenters = (engine.segmenters ??= new engine.Segmenters());
    const paragraphOf = (atoms) => new engine.Paragraph(atoms, ${JSON.stringify(PARAGRAPH_COSTS)});
    const placing = new engine.LinePlacing();
    const search = new engine.SizeSearch(placing, {
      ending: new engine.TextCut(paragraphOf),
      quality: new engine.LineQuality(),
    });
    const drawn = new engine.DrawnText(placing);
    const meter = new engine.InkMeter();
    const probe = new engine.TextProbe(meter, {
      phrases: new engine.JapanesePhrases(segmenters),
      edges: new engine.OpticalEdges(meter),
      segmenters,
    });
    const fitting = new engine.Fitting(${JSON.stringify(rules)}, {
      page: new engine.HeldPage(),
      probe,
      plain: new engine.PlainTexts(probe, placing),
      writer: new engine.LineWriter(new engine.BreakMarks()),
      containment: new engine.Containment(),
      placing,
      search,
      drawn,
      sharing: new engine.RoomSharing(search, drawn),
      paragraphOf,
    }, ${FITTING_ROUNDS});
    new engine.UprightCells().placeAll();
    const fits = fitting.fitAll();
    new engine.ChartLabels().fitAll();
    new engine.CodeRows().fitAll();
    performance.measure("fit", { start });
    return new engine.PageReport().read(fits);
  })()`;
}
