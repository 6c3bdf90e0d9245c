import { useEffect } from "react";

/** A field for images has marked its own drops as handled. */
function refuse(event: DragEvent): void {
  if (event.defaultPrevented || !event.dataTransfer?.types.includes("Files")) return;
  event.preventDefault();
  event.dataTransfer.dropEffect = "none";
}

/** Refuses files that are dropped beside a field for images. The browser would open them instead of the page. */
export function useMissedDrops(): void {
  useEffect(() => {
    for (const kind of ["dragover", "drop"] as const) window.addEventListener(kind, refuse);
    return () => {
      for (const kind of ["dragover", "drop"] as const) window.removeEventListener(kind, refuse);
    };
  }, []);
}
