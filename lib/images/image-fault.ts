/** Why an image cannot be shown. */
export type ImageFault = {
  fault: string;
  /** Whether the image's server is at fault rather than the request. A field may then do without the image. */
  isServerFault?: boolean;
};

/** The accepted formats, for messages. */
export const WANTED_FORMATS = "PNG, JPEG, WebP, GIF or AVIF";

export const TAKES_TOO_LONG = "Got an image that takes too long to decode, want a smaller or simpler one.";

export const CUT_SHORT = "Got an image that ends early or is damaged, want a whole one.";
