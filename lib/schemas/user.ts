import { z } from "zod";
import { characters, fault, hasKey, id, lineOfText, moment, NO_KEY, wholeNumber } from "./scalars.ts";
import { INVISIBLE } from "./visible-text.ts";

/** The longest email address, in characters (RFC 5321, without the angle brackets). */
const EMAIL_MAX_CHARS = 254;

/** Any script on both sides of one `@`, and no character with a meaning in a header, a log line or an address list. */
const EMAIL =
  /^[^\s@"(),:;<>[\]\\\p{Cc}\p{Cf}]{1,64}@[^\s@"(),:;<>[\]\\.\p{Cc}\p{Cf}]+(?:\.[^\s@"(),:;<>[\]\\.\p{Cc}\p{Cf}]+)*$/u;

/**
 * The form in which emails are stored and compared: trimmed, in lower case, and in Unicode's compatibility form (NFKC). Keyboards
 * write `é` as one character or as two, and an East Asian one writes full-width letters.
 */
export function comparableEmail(text: string): string {
  return text.trim().normalize("NFKC").toLowerCase().normalize("NFKC");
}

/** An email address in the form of {@link comparableEmail}. */
export const email = z
  .string()
  .overwrite(comparableEmail)
  .max(EMAIL_MAX_CHARS)
  .refine(
    (text) => EMAIL.test(text) && !INVISIBLE.test(text),
    fault("invalid_email", "Got no email address, want one such as ada@example.com."),
  )
  .meta({ format: "email" });

/** A person's name: 1 to 80 characters after trimming. */
export const personName = lineOfText({ min: 1, max: 80 });

/** In Unicode code points: long enough to resist guessing at the permitted rate, short enough to be hashed in full. */
const PASSWORD_MIN_CHARS = 12;
const PASSWORD_MAX_CHARS = 256;

/** A new password: any Unicode, never trimmed or cut. */
export const password = characters({ min: PASSWORD_MIN_CHARS, max: PASSWORD_MAX_CHARS }).meta({ format: "password" });

/** A password to verify. It is refused without verification when no password has such a length. */
export const passwordToVerify = characters({ min: 1, max: PASSWORD_MAX_CHARS }).meta({ format: "password" });

const role = z.enum(["user", "admin"]);
const status = z.enum(["active", "deactivated"]);

/** A user. It never holds the hash of the password. */
export const User = z
  .object({
    id,
    email: z.string(),
    name: z.string(),
    role,
    status,
    createdAt: moment,
    updatedAt: moment,
    lastLoginAt: moment.nullable(),
  })
  .meta({ id: "User" });

/** The body of `POST /users`. */
export const CreateUser = z
  .strictObject({ email, name: personName, password, role: role.optional() })
  .meta({ id: "CreateUser" });

/** The body of `PATCH /users/:id`: at least one key. */
export const UpdateUser = z
  .strictObject({
    email: email.optional(),
    name: personName.optional(),
    role: role.optional(),
    status: status.optional(),
  })
  .refine(hasKey, NO_KEY)
  .meta({ id: "UpdateUser", minProperties: 1 });

/** The body of `POST /users/:id/password`. */
export const SetPassword = z.strictObject({ password }).meta({ id: "SetPassword" });

export const USERS_PER_PAGE_MAX = 200;

/** Far more than anyone reads, and the number of skipped rows still fits an integer of the database. */
const PAGE_MAX = 1_000_000;

const SORT_KEYS = ["email", "name", "createdAt", "lastLoginAt", "role", "status"] as const;

export type UserSortKey = (typeof SORT_KEYS)[number];

const SORTS = SORT_KEYS.flatMap((key) => [key, `-${key}`] as const);

/** The query of `GET /users`. Without `page` and `limit` all users are on one page. */
export const UsersQuery = z.strictObject({
  search: lineOfText({ min: 0, max: EMAIL_MAX_CHARS })
    .describe("Part of the email or the name, in any case; no character is a wildcard")
    .optional(),
  sort: z.enum(SORTS).describe("`createdAt` when absent; `-` reverses the order").optional(),
  page: wholeNumber({ min: 1, max: PAGE_MAX }).describe("1 when absent").optional(),
  limit: wholeNumber({ min: 1, max: USERS_PER_PAGE_MAX })
    .describe("Users per page, 50 when only `page` is given")
    .optional(),
});
