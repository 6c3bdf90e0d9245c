/** The property of an item, in Liquid, that has its place in the list. No field can have this name. */
export const ITEM_INDEX = "_index";

/** The place of an item in its list, from 0. It is written as it is, because it is no content of the request. */
export class ItemIndex {
  readonly index: number;

  constructor(index: number) {
    this.index = index;
  }

  toString(): string {
    return String(this.index);
  }
}
