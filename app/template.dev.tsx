import type { ReactNode } from "react";
import { RedrawOnSave } from "./workshop/redraw-on-save.tsx";

/** Around every page in development. A production build has no such file, because it does not know its ending. */
export default function DevelopmentTemplate({ children }: { children: ReactNode }) {
  return <RedrawOnSave>{children}</RedrawOnSave>;
}
