import { z } from "zod";
import { hasKey, NO_KEY } from "#lib/schemas/scalars.ts";
import { email, password, personName, presentedPassword } from "#lib/schemas/user.ts";

/** The body of `PATCH /account`. A role or a status is none of its keys: nobody changes their own here. */
export const UpdateAccount = z
  .strictObject({ name: personName.optional(), email: email.optional() })
  .refine(hasKey, NO_KEY)
  .meta({ minProperties: 1 });

/** The body of `POST /account/password`. */
export const ChangePassword = z.strictObject({ currentPassword: presentedPassword, newPassword: password });
