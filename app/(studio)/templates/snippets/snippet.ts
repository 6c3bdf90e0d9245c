/** A file that the code reads, instead of megabytes of Base64 in the code. */
export type ImageFile = { file: string; mediaType: string };

export type SnippetValue =
  | string
  | number
  | boolean
  | null
  | ImageFile
  | SnippetValue[]
  | { [key: string]: SnippetValue };

/** The request that the code sends. */
export type SnippetRequest = {
  /** The origin of the service, such as `https://pictures.example.com`. */
  origin: string;
  template: string;
  /** Absent for the default variant. */
  variant?: string | undefined;
  /** Field name → value, in the order of the form. */
  data: Record<string, SnippetValue>;
  /** Whether the request needs a token, which the code reads from {@link TOKEN_VARIABLE}. */
  needsToken: boolean;
};

/** The environment variable of the token. In the code itself, the token would end up in files and shell histories. */
export const TOKEN_VARIABLE = "PLATEN_TOKEN";

export function renderAddress({ origin }: SnippetRequest): string {
  return `${origin}/api/service/images/render`;
}

/** The name of the output file: the one that the service proposes. */
export function pictureFile({ template }: SnippetRequest): string {
  return `${template.replaceAll("/", "-")}.png`;
}

export function isImageFile(value: SnippetValue): value is ImageFile {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return typeof value.file === "string" && typeof value.mediaType === "string";
}

function hasImage(value: SnippetValue): boolean {
  if (typeof value !== "object" || value === null) return false;
  return isImageFile(value) || Object.values<SnippetValue>(value).some(hasImage);
}

export function hasImages({ data }: SnippetRequest): boolean {
  return hasImage(data);
}

/** The start of the `data:` URL of an image, before its Base64. */
export function dataUrlPrefix({ mediaType }: ImageFile): string {
  return `data:${mediaType};base64,`;
}
