/** The pixels that all images of a request may have together: 50 megapixels are 200 MB in memory, more than any picture shows. */
export const MAX_IMAGE_PIXELS = 50_000_000;

/** The decoded size in bytes of one image: those pixels in the four channels of eight bits that a browser keeps. */
export const MAX_DECODED_BYTES = 4 * MAX_IMAGE_PIXELS;

/** Pixels of one AVIF: its decoder takes 16 bytes for each (782 MB were measured with fifty million), and cannot decode a part. As many as the largest picture has. */
export const MAX_AVIF_PIXELS = 4_096 * 4_096;

/** A picture shows the first frame. This many are an animation that somebody drew; more are work for whoever counts them. */
export const MAX_FRAMES = 500;

/** The proof that an image decodes is made at this width: JPEG and WebP then decode at an eighth of the work. */
export const PROOF_WIDTH_PX = 32;

/** Each decoding may hold a whole image in memory; the rest wait their turn. */
export const CONCURRENT_DECODINGS = 2;

/** The largest AVIF decodes in 0.7 s; what takes this long was made to. */
export const DECODING_TIMEOUT_SECONDS = 10;

/** Compressed texts of a PNG, unpacked: editing histories and prompts have been seen with 1 MB. A deflated bomb has a thousand times its length. */
export const MAX_PNG_TEXT_BYTES = 4_000_000;

/** As many chunks as libpng would keep; each costs a decompressor. */
export const MAX_PNG_TEXT_CHUNKS = 1_000;

/** The colour profile of a PNG, unpacked. The largest that monitors are measured with have 2 MB. */
export const MAX_PNG_PROFILE_BYTES = 4_000_000;

/** EXIF data of a PNG, which holds the orientation. In a JPEG it cannot be longer either. */
export const MAX_PNG_EXIF_BYTES = 65_535;

/** Of what is made anew: no difference is visible, at a third of the length of a lossless file. */
export const REDRAWN_QUALITY = 95;

/** The longest address of an image in characters: signed addresses of storage services have 1,500. */
export const MAX_ADDRESS_CHARS = 4_096;

/** How often a server may send an image's address on: from a short one to a host, from there to a storage service. */
export const MAX_REDIRECTS = 3;

/** How many images are fetched at once by the whole process. Each may hold `SERVICE_IMAGE_MAX_MB` in memory. */
export const CONCURRENT_FETCHES = 16;

/** A name server that does not answer holds one of four threads that decoding and files need as well: never more than two of them. */
export const CONCURRENT_LOOKUPS = 2;
