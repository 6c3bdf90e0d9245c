"use client";

import { createContext } from "react";

/**
 * Tells the dialog around a form that what was asked for is under way. Nothing closes it then: nobody would see what came of
 * it, be it a failure or a secret that is shown once.
 */
export const DialogHold = createContext<(isHeld: boolean) => void>(() => undefined);
