import type { Tokens } from "marked";
import { withOffsets } from "../../ui/content/text-offsets.ts";
import { Cell, Row, Table } from "../../ui/table/table.tsx";
import { Inline } from "./inline.tsx";

/** The label of a column without a name. */
const UNNAMED = "meaning";

/** Cells with more characters than this count as sentences. */
const LONG_CHARS = 60;

/**
 * The first column is as wide as its words, and the last one takes the rest, so that the tables of a page look alike. Two
 * columns of sentences share the rest.
 */
function widthOf(column: number, { header, rows }: Tokens.Table): string {
  const last = header.length - 1;
  if (column === 0) return "sm:min-w-24 sm:[overflow-wrap:break-word]";
  const isShared = rows.some((row) => row.some(({ text }, at) => at > 0 && at < last && text.length > LONG_CHARS));
  if (isShared) return "sm:min-w-36";
  return column === last ? "sm:w-full" : "sm:min-w-36 lg:min-w-44";
}

function rowText(row: Tokens.TableCell[]): string {
  return `|${row.map(({ text }) => text).join("|")}|`;
}

/** A Markdown table. The first column names the row. */
export function MarkdownTable({ token, name }: { token: Tokens.Table; name: string }) {
  const columns = token.header.map(({ text }) => text || UNNAMED);
  return (
    <div className="my-5">
      <Table caption={name} columns={columns}>
        {withOffsets(token.rows, rowText).map(({ part: row, offset }) => (
          <Row key={offset}>
            {row.map((cell, column) => (
              <Cell
                key={columns[column]}
                {...(column > 0 && cell.text !== "" && { label: columns[column] ?? UNNAMED })}
                className={`sm:align-top ${widthOf(column, token)} ${cell.text === "" ? "max-sm:hidden" : ""}`}
              >
                {/* One child, because a narrow window lays the children of a cell out beside each other. */}
                <div className="min-w-0">
                  <Inline tokens={cell.tokens} />
                </div>
              </Cell>
            ))}
          </Row>
        ))}
      </Table>
    </div>
  );
}
