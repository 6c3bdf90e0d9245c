import { Dialog as Base } from "@base-ui/react/dialog";
import type { ReactNode } from "react";
import { DialogHold } from "./dialog-hold.ts";

type DialogFrameProps = {
  /** How wide it is at most. */
  className: string;
  /** Called with whether a form in it is under way. */
  onHold: (isHeld: boolean) => void;
  children: ReactNode;
};

/** Where every dialog stands: in front of the page, in the middle of a wide window and at the lower edge of a narrow one. */
export function DialogFrame({ className, onHold, children }: DialogFrameProps) {
  return (
    <Base.Portal>
      <Base.Backdrop className="fixed inset-0 bg-scrim transition-opacity duration-100 data-ending-style:opacity-0 data-starting-style:opacity-0" />
      <Base.Viewport className="fixed inset-0 grid items-end justify-items-center overflow-y-auto p-3 sm:items-center sm:p-6">
        <Base.Popup className={`popup relative w-full p-5 sm:p-6 ${className}`}>
          <DialogHold value={onHold}>{children}</DialogHold>
        </Base.Popup>
      </Base.Viewport>
    </Base.Portal>
  );
}
