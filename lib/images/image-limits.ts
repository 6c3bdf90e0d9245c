/** The pixel budget of all images of a request together. 50 megapixels take 200 MB of memory. */
export const MAX_IMAGE_PIXELS = 50_000_000;

/** The decoded size of one image in bytes, with four channels of eight bits per pixel. */
export const MAX_DECODED_BYTES = 4 * MAX_IMAGE_PIXELS;

/**
 * Pixels of one AVIF, as many as the largest picture has. The decoder takes 16 bytes per pixel (782 MB for 50
 * megapixels were measured) and cannot decode a part.
 */
export const MAX_AVIF_PIXELS = 4_096 * 4_096;

/**
 * Frames in one picture of an AVIF. A picture has one, and four layers at most. A frame of 16 megapixels takes 0.2 s, and can be
 * written in 20 bytes.
 */
export const MAX_AVIF_FRAMES = 4;

/** Parts of the data of one picture of an AVIF: a picture of the most tiles, 64 × 64, has 4,096 of them and a few more. */
export const MAX_AVIF_OBUS = 5_000;

/** Boxes in one box of an AVIF, and items. The decoder takes 256 items. */
export const MAX_AVIF_BOXES = 1_000;

/** Parts of the file in which the data of one item are: the limit of the decoder. */
export const MAX_AVIF_EXTENTS = 32;

/** The longer side of an image, the most that a JPEG or GIF can have. Decoders hold several whole rows: 1.2 GB for a row of 50 megapixels. */
export const MAX_IMAGE_SIDE_PX = 65_535;

/** Scans of a JPEG, each of which may go over all of its pixels. Encoders write about ten, and 50 megapixels in 60 scans take 5 s. */
export const MAX_JPEG_SCANS = 32;

/** Frames of an animation, of which only the first is shown. Real animations have fewer. */
export const MAX_FRAMES = 500;

/** An image is decoded at this width and height to check that it is complete. For JPEG and WebP that is an eighth of the work. */
export const CHECK_SIDE_PX = 32;

/** Images decoded at once, apart from quick ones. Each may be whole in memory. Others wait. */
export const CONCURRENT_DECODINGS = 2;

/** How many of them may take long. One place is left to images that do not. */
export const CONCURRENT_LONG_DECODINGS = 1;

/** Decodings that take longer by the estimate are long, in milliseconds: of 30 megapixels, or of 5 that are hard. */
export const LONG_DECODING_MS = 600;

/**
 * A decoding is quick if it is estimated to take at most this long, in milliseconds: up to 5 megapixels, or 0.8 that are hard. Quick ones have
 * places of their own. Otherwise two images of 29 megapixels, which are not long yet, would keep them waiting for seconds.
 */
export const QUICK_DECODING_MS = 100;
export const CONCURRENT_QUICK_DECODINGS = 2;

/** The estimate of how long decoding takes, in milliseconds per pixel: 50 megapixels take a second. */
export const DECODING_MS_PER_PIXEL = 1_000 / 50e6;

/** What hard pixels, of an AVIF or of an image that is encoded again, take in addition, in milliseconds per pixel. */
export const HARD_MS_PER_PIXEL = 1_000 / 10e6;

/**
 * The processor time that the work on an image may take, in milliseconds, and how many times its estimate in addition. Nearly all images
 * take less than their estimate. Only a malicious image takes so long.
 */
export const DECODING_LIMIT_MS = 2_000;
export const DECODING_LIMIT_FACTOR = 4;

/**
 * The processor time that an image of a template may take, in milliseconds. A photograph of 50 megapixels takes 3 s. Without a limit, one
 * drawing could keep all templates from being served. After one that takes longer, no further image of its template is decoded.
 */
export const ASSET_LIMIT_MS = 10_000;

/** How often a process that decodes is asked for its processor time, in milliseconds, and how often it may not respond. */
export const DECODER_POLL_MS = 250;
export const DECODER_SILENT_POLLS = 12;

/**
 * The same before its first response, half a minute in all. A start takes a quarter of a second of processor time, which on a busy machine, or
 * in a container with a tenth of a core, may be long in coming. To begin again would only add to that.
 */
export const DECODER_START_POLLS = 120;

/** How long processes that decode are kept without work, in milliseconds. One is kept for good. */
export const DECODER_IDLE_MS = 60_000;

/** Chunks of a PNG. Those of a file of 12 MB are about 1,500 of 8 KiB. */
export const MAX_PNG_CHUNKS = 50_000;

/** Uncompressed bytes of the texts of a PNG. Editing histories of 1 MB occur. */
export const MAX_PNG_TEXT_BYTES = 4_000_000;

/** Compressed text chunks of a PNG: the limit of libpng. Each one costs a decompressor. */
export const MAX_PNG_TEXT_CHUNKS = 1_000;

/** The bytes that are counted for a text of a PNG that cannot be unpacked: it may unpack to millions of bytes before its error. */
export const BROKEN_PNG_TEXT_BYTES = 400_000;

/** Uncompressed bytes of the colour profile of a PNG. The largest monitor profiles have 2 MB. */
export const MAX_PNG_PROFILE_BYTES = 4_000_000;

/** Bytes of EXIF data of a PNG. This is also the most that a JPEG can have. */
export const MAX_PNG_EXIF_BYTES = 65_535;

/** Pixels of a converted image, as many as the largest picture has. A WebP of noise takes 0.16 s for each megapixel. */
export const MAX_CONVERTED_PIXELS = 4_096 * 4_096;

/** JPEG and WebP quality of converted images: no visible difference, and a third of the bytes of a lossless file. */
export const CONVERTED_QUALITY = 95;

/** The longest address of an image, in characters. Signed URLs of storage services have about 1,500. */
export const MAX_ADDRESS_CHARS = 4_096;

/** Redirects for one image, such as from a short URL to a host and from there to a storage service. */
export const MAX_REDIRECTS = 3;

/**
 * How many chunks an image may arrive in, whatever its size, and how many bytes each further one has to bring on average. A chunk costs
 * some microseconds however small it is, so that a server with chunks of one byte takes a whole processor.
 */
export const IMAGE_CHUNKS = 1_000;
export const IMAGE_CHUNK_BYTES = 64;

/** Bytes of a server until TLS is set up. Certificates have about 5 kB, and to verify a chain takes the thread up to 5 ms for each kB. */
export const TLS_SETUP_BYTES = 32_768;

/** Session tickets of a TLS server, which are never used. Servers send two, and each costs the thread 20 µs for as few as 18 bytes. */
export const MAX_TLS_TICKETS = 10;

/** Provisional responses (1xx) before an image. Each costs as much as a response; servers send one or two, and Go accepts five. */
export const MAX_PROVISIONAL_RESPONSES = 10;

/** Images fetched at once by the process. Each may take `SERVICE_IMAGE_MAX_MB` of memory. */
export const CONCURRENT_FETCHES = 16;

/** How many of them may go to one server. The rest is for other servers while this one does not answer. */
export const CONCURRENT_FETCHES_OF_SERVER = 12;

/** The estimate of how long a fetch takes, in milliseconds. */
export const FETCH_MS = 100;

/**
 * How many IP addresses of a host are tried, of each family. Each has a quarter of a second, so a fetch has time for twenty. A name server
 * may answer with thousands. Where none can be reached, to try them took the thread 0.1 s, and 4,000 that fail at once exceeded its stack.
 */
export const MAX_HOST_ADDRESSES = 10;

/** Host lookups at once. Each holds one of the four threads that decoding and file access need as well. */
export const CONCURRENT_LOOKUPS = 2;

/** How long a lookup may wait for its turn, in milliseconds: the default time limit for fetching an image. */
export const LOOKUP_WAIT_MS = 5_000;

/** A lookup within this time, in milliseconds, was answered by a name server that works. Answers from afar take 0.3 s. */
export const QUICK_LOOKUP_MS = 1_000;

/** How many servers are remembered whose names were found quickly, and how many whose names were found slowly. */
export const LOOKUP_SERVERS_KEPT = 1_000;

/** How many names are remembered with their addresses, and for how long, in milliseconds. */
export const LOOKUP_NAMES_KEPT = 1_000;
export const KNOWN_ADDRESSES_MS = 24 * 3_600_000;

/** How long a name may take to be found until its known addresses are used, in milliseconds. The fetch has {@link LOOKUP_WAIT_MS} in all. */
export const KNOWN_AFTER_MS = 1_000;

/**
 * A lookup that takes longer, in milliseconds, is very slow: others behind it run out of time. Where a name server is silent, a lookup takes
 * five seconds or more. Pauses of this process are rarely so long.
 */
export const SLOW_LOOKUP_MS = LOOKUP_WAIT_MS / 2;

/**
 * For how long, in milliseconds, a server gets no place of its own after a very slow lookup. Otherwise its name server could get one back with a
 * single quick answer, again and again.
 */
export const SLOW_LOOKUP_REMEMBERED_MS = 600_000;

/** The memory for fetched images, as a share of the memory for bodies. A body takes four times its length, an image five times. */
export const FETCHED_BUDGET_SHARE = 1 / 2;

/** `Retry-After`, in seconds, of a render that is refused because of this limit. The largest picture is rendered within two seconds. */
export const FETCHED_RETRY_SECONDS = 2;
