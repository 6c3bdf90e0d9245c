/** Why an image cannot be shown. */
export type ImageFault = {
  fault: string;
  /** True where the server that has the image is to blame, not the request: a field may do without the image then. */
  isElsewhere?: boolean;
};

/** What a message calls the formats that are accepted. */
export const WANTED_FORMATS = "PNG, JPEG, WebP, GIF or AVIF";

export const CUT_SHORT = "Got an image that ends early or is damaged, want a whole one.";
