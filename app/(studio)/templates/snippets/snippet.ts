/** A file that the code reads, so that no megabytes of Base64 are pasted. */
export type ImageFile = { file: string; mediaType: string };

export type SnippetValue = string | number | boolean | ImageFile;

/** The request that a piece of code makes. */
export type SnippetRequest = {
  /** Where the service is, such as `https://pictures.example.com`. */
  origin: string;
  template: string;
  /** Absent for the template's default. */
  variant?: string | undefined;
  /** Field → value, in the order of the form. */
  data: Record<string, SnippetValue>;
  /** Whether the service asks who calls. The token is then read from {@link TOKEN_VARIABLE}. */
  needsToken: boolean;
};

/** The variable of the environment that the code reads a token from: one that is pasted would be kept in files and histories. */
export const TOKEN_VARIABLE = "PLATEN_TOKEN";

export function renderAddress({ origin }: SnippetRequest): string {
  return `${origin}/api/service/images/render`;
}

/** The name that the picture is kept under, which is the one that the service proposes. */
export function pictureFile({ template }: SnippetRequest): string {
  return `${template.replaceAll("/", "-")}.png`;
}

export function isImageFile(value: SnippetValue): value is ImageFile {
  return typeof value === "object";
}

export function hasImages({ data }: SnippetRequest): boolean {
  return Object.values(data).some(isImageFile);
}

/** The beginning of an image's `data:` URL, before its Base64. */
export function dataUrlPrefix({ mediaType }: ImageFile): string {
  return `data:${mediaType};base64,`;
}
