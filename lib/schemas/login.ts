import { z } from "zod";
import { email, presentedPassword } from "#lib/schemas/user.ts";

/** The body of `POST /login`. */
export const Login = z.strictObject({ email, password: presentedPassword });

/** The body of `POST /logout`, where there is one. */
export const Logout = z.strictObject({});
