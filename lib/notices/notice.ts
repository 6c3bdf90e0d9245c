/** Something in the files of a template that has no effect, or another one than it says. The template is drawn all the same. */
export type Notice = {
  /** Relative to the templates folder, such as `social/card/style.css`. */
  file: string;
  /** Counted from 1. */
  line: number;
  reason: string;
};

/** A text file, named as in a {@link Notice}. */
export type SourceText = { file: string; text: string };

export const isSheet = ({ file }: SourceText): boolean => file.endsWith(".css");
export const isMarkup = ({ file }: SourceText): boolean => file.endsWith(".html");

/** A notice in one line. */
export function describeNotice({ file, line, reason }: Notice): string {
  return `${file}:${line} ${reason}`;
}

/** Without those that are told already: files that several templates share are read with each of them. */
export function withoutRepeated(notices: Notice[]): Notice[] {
  return [...new Map(notices.map((notice) => [describeNotice(notice), notice])).values()];
}
