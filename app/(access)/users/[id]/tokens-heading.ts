/** The id of the heading above the tokens. */
export const TOKENS_HEADING = "tokens";
