import { cookies } from "next/headers";
import { THEME_COOKIE, type Theme, toTheme } from "./theme-cookie.ts";

/** The theme that the reader chose; `system` where none was. */
export async function chosenTheme(): Promise<Theme> {
  return toTheme((await cookies()).get(THEME_COOKIE)?.value);
}
