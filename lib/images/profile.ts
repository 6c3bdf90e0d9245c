/** Bytes before the tags of a profile, of which the last four count them (ICC.1:2022, 7.2 and 7.3). */
const HEAD_BYTES = 132;
const TAG_BYTES = 12;
/** The decoder takes 100 tags. */
const MAX_TAGS = 100;

/**
 * The fault of a colour profile that takes long to apply. Its tags D2B0 to D2B3 may have any number of steps in floating point, all
 * of which are computed for tens of thousands of colours, at once, and without an end to the time: 7 ms for each 8 bytes of a profile.
 * Chromium leaves such tags aside.
 */
export function profileFault(profile: Buffer): string | undefined {
  const tags = profile.subarray(HEAD_BYTES, HEAD_BYTES + MAX_TAGS * TAG_BYTES);
  for (let at = 0; at < tags.length; at += TAG_BYTES)
    if (tags.toString("latin1", at, at + 3) === "D2B")
      return "Got a colour profile with steps in floating point (D2B0), want one without them.";
  return undefined;
}
