import type { Tokens } from "marked";
import type { CSSProperties } from "react";
import { withOffsets } from "../../ui/content/text-offsets.ts";
import { Cell, Row, Table } from "../../ui/table/table.tsx";
import { Inline } from "./inline.tsx";
import { textOf } from "./parse.ts";

/** The label of a column without a name. */
const UNNAMED = "meaning";

/** Cells with more characters than this count as sentences. */
const LONG_CHARS = 60;

/** The width of a character of code in rem. Those of words are narrower. */
const CHAR_REM = 0.5;

/** The space around code, and the one between two columns, in rem. */
const SPACE_REM = 1.5;

/** Whether two columns have sentences, beside the first one. */
function isShared({ header, rows }: Tokens.Table): boolean {
  return rows.some((row) => row.some(({ text }, at) => at > 0 && at < header.length - 1 && text.length > LONG_CHARS));
}

/** The characters of the longest word of the first column. Paths may be divided at their slashes. */
function longestWord({ rows }: Tokens.Table): number {
  const words = rows.flatMap(([cell]) =>
    (cell?.tokens ?? [])
      .map(textOf)
      .join("")
      .split(/[\s/]+/),
  );
  return Math.max(0, ...words.map(({ length }) => length));
}

/**
 * The first column is as wide as its longest word, and the last one takes the rest, so that the tables of a page look alike. Two
 * columns of sentences share the rest. The widths are known before the rows, which may arrive late and would move those before them.
 */
function widthsOf(token: Tokens.Table): string[] {
  const last = token.header.length - 1;
  const shares = isShared(token);
  return token.header.map((_, column) => {
    if (column === 0) return "sm:w-(--first)";
    return shares || column === last ? "" : "sm:w-36 lg:w-44";
  });
}

function rowText(row: Tokens.TableCell[]): string {
  return `|${row.map(({ text }) => text).join("|")}|`;
}

/** A Markdown table. The first column names the row. */
export function MarkdownTable({ token, name }: { token: Tokens.Table; name: string }) {
  const columns = token.header.map(({ text }) => text || UNNAMED);
  const first = `max(6rem, ${longestWord(token) * CHAR_REM + SPACE_REM}rem)`;
  return (
    <div className="my-5" style={{ "--first": first } as CSSProperties}>
      <Table caption={name} columns={columns} widths={widthsOf(token)}>
        {withOffsets(token.rows, rowText).map(({ part: row, offset }) => (
          <Row key={offset}>
            {row.map((cell, column) => (
              <Cell
                key={columns[column]}
                {...(column > 0 && cell.text !== "" && { label: columns[column] ?? UNNAMED })}
                className={`sm:align-top ${column === 0 ? "sm:[overflow-wrap:break-word]" : ""} ${cell.text === "" ? "max-sm:hidden" : ""}`}
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
