/** The encodings that the service offers, the better one first. */
const ENCODINGS = ["br", "gzip"] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** Coding → weight, in lower case. A malformed weight counts as 0. */
function weightsOf(accept: string): Map<string, number> {
  const entries = accept.split(",").map((text): [string, number] => {
    const [coding = "", ...parameters] = text.split(";").map((part) => part.trim().toLowerCase());
    const quality = Number(parameters.find((parameter) => parameter.startsWith("q="))?.slice(2) ?? 1);
    return [coding, quality >= 0 && quality <= 1 ? quality : 0];
  });
  return new Map(entries);
}

/**
 * The encoding that a client prefers, by the value of its `Accept-Encoding` (RFC 9110, section 12.5.3). Undefined where it
 * accepts none of ours, or prefers a body that is not encoded.
 */
export function preferredEncoding(accept = ""): Encoding | undefined {
  const weights = weightsOf(accept);
  const weightOf = (coding: string) => weights.get(coding) ?? weights.get("*") ?? 0;
  const [best] = ENCODINGS.filter((coding) => weightOf(coding) > 0).toSorted((a, b) => weightOf(b) - weightOf(a));
  return best && weightOf(best) >= (weights.get("identity") ?? 0) ? best : undefined;
}

/** Whether a client refuses a body that is not encoded. */
export function refusesIdentity(accept = ""): boolean {
  const weights = weightsOf(accept);
  return (weights.get("identity") ?? weights.get("*")) === 0;
}
