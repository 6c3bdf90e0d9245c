/** The most items of a list in a request, whatever the template shows. They are checked in a few milliseconds. */
export const MAX_LIST_ITEMS = 100;
