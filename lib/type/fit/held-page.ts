/**
 * Keeps what changes or distorts measurements as it is while texts are fitted. The page gets it as source text, so it refers
 * to nothing outside itself.
 */
export class HeldPage {
  /** Removes transforms, which distort what is measured, and returns a function that restores them. */
  straighten(elements: HTMLElement[]): () => void {
    const turned = new Map<HTMLElement, string>();
    const names = ["transform", "translate", "rotate", "scale"];
    for (const element of elements) {
      for (let around: HTMLElement | null = element; around; around = around.parentElement) {
        if (turned.has(around)) break;
        const style = getComputedStyle(around);
        if (names.some((name) => style.getPropertyValue(name) !== "none")) turned.set(around, around.style.cssText);
      }
    }
    for (const element of turned.keys()) for (const name of names) element.style.setProperty(name, "none", "important");
    return () => {
      for (const [element] of turned) for (const name of names) element.style.removeProperty(name);
      for (const [element, before] of turned) {
        const original = document.createElement("i");
        original.style.cssText = before;
        for (const name of names) element.style.setProperty(name, original.style.getPropertyValue(name));
      }
    };
  }

  /** Keeps the direction that a text gave its element while that element is empty. */
  freeze(): void {
    const found = Array.from(document.querySelectorAll<HTMLElement>("[dir=auto]"));
    const directions = found.map((element) => getComputedStyle(element).direction);
    for (const [index, element] of found.entries()) element.dir = directions[index] ?? "";
  }
}
