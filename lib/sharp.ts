import sharp from "sharp";

// One image at a time per call and nothing kept: many requests run side by side, and a cache of what strangers send is only memory.
sharp.cache(false);
sharp.concurrency(1);

/** The image library, as it is used everywhere. */
export { sharp };
