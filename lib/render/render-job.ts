import type { RenderConfig } from "#lib/config.ts";
import type { Commands } from "./chromium/connection.ts";

/** What a browser is asked to draw. */
export type RenderJob = {
  /** A complete document. Its scripts do not run and it loads nothing. */
  html: string;
  /** In CSS pixels, which are the pixels of the picture. */
  width: number;
  height: number;
  /** A trusted JavaScript expression with a JSON value. It is evaluated once everything has loaded, before the picture is taken. */
  measure?: string;
  /**
   * Gets the value of `measure`, and returns a trusted expression that gives texts other colours. The page is then drawn once
   * more, so that the two pictures differ by these texts alone. Returns undefined when no second picture is needed. A job with
   * `examine` gets none, because it examines the page of the first picture.
   */
  recolor?: (measured: unknown) => Promise<string | undefined>;
  /**
   * True for a document composed from a checked template, whose markup cannot affect the page around it: it may replace
   * another such document in the same page. Every other document gets a blank page, which is made blank again afterwards.
   */
  sharesPage?: boolean;
  /**
   * Trusted code that looks at the drawn page once its picture is taken, and may change it. The page is blanked afterwards, so
   * such a job never sets `sharesPage`.
   */
  examine?: (page: DrawnPage) => Promise<unknown>;
  /** How well the picture is compressed; without it, as configured. `fast` suits a picture that is decoded again at once. */
  effort?: RenderConfig["png"] | undefined;
};

/** A page whose picture was taken. Every call ends with the render. */
export type DrawnPage = {
  send: Commands["send"];
  /** Evaluates a trusted expression. @returns its JSON value */
  evaluate(expression: string): Promise<unknown>;
  /** Takes another picture. @returns a PNG that is compressed for speed */
  capture(): Promise<Buffer>;
};

/** What it has drawn. */
export type Screenshot = {
  /** A PNG that is compressed for speed. */
  png: Buffer;
  /** Value of the job's `measure`. */
  measured: unknown;
  /** Value of the job's `examine`. */
  examined: unknown;
  /** The picture after the job's `recolor`, in the same format. */
  recolored?: Buffer | undefined;
  /** Addresses that the document tried to load. */
  blockedRequests: string[];
};

/** Called at the end of each stage. */
export type Stamp = (stage: "load" | "capture") => void;
