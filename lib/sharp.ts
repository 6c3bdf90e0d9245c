import sharp from "sharp";

// Many requests run concurrently, so each call uses one thread. A cache of images from requests would only waste
// memory.
sharp.cache(false);
sharp.concurrency(1);

/** The image library with the settings of this service. */
export { sharp };
