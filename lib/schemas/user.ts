import { z } from "zod";
import { wholeNumber } from "#lib/schemas/query.ts";
import { fault, hasKey, id, moment, NO_KEY } from "#lib/schemas/scalars.ts";
import { characters, lineOfText } from "#lib/schemas/text.ts";

/** The longest address that mail can be sent to, in characters (RFC 5321, with its angle brackets left out). */
const EMAIL_MAX_CHARS = 254;

/** Any script on both sides of one `@`, and nothing that a header, a log line or a list of addresses would read as its own. */
const EMAIL =
  /^[^\s@"(),:;<>[\]\\\p{Cc}\p{Cf}]{1,64}@[^\s@"(),:;<>[\]\\.\p{Cc}\p{Cf}]+(?:\.[^\s@"(),:;<>[\]\\.\p{Cc}\p{Cf}]+)*$/u;

/** An email address, trimmed and in lower case: everything that compares or stores one gets it from here. */
export const email = z
  .string()
  .trim()
  .toLowerCase()
  .max(EMAIL_MAX_CHARS)
  .refine((text) => EMAIL.test(text), fault("invalid_email", "Got no email address, want one such as ada@example.com."))
  .meta({ format: "email" });

/** What a person is called: 1 to 80 characters after trimming. */
export const personName = lineOfText({ min: 1, max: 80 });

/** Long enough not to be guessed at the rate that is allowed, short enough to be hashed in full. In Unicode code points. */
const PASSWORD_MIN_CHARS = 12;
const PASSWORD_MAX_CHARS = 256;

/** A password to be set: any Unicode, never trimmed or cut. */
export const password = characters({ min: PASSWORD_MIN_CHARS, max: PASSWORD_MAX_CHARS }).meta({ format: "password" });

/** A password to be verified. Only what is too long for any hash is refused: what was never set does not match. */
export const presentedPassword = characters({ min: 1, max: PASSWORD_MAX_CHARS }).meta({ format: "password" });

const role = z.enum(["user", "admin"]);
const status = z.enum(["active", "deactivated"]);

/** A user as answers show it. The hash of the password is no part of it, and so never leaves. */
export const User = z.object({
  id,
  email: z.string(),
  name: z.string(),
  role,
  status,
  createdAt: moment,
  updatedAt: moment,
  lastLoginAt: moment.nullable(),
});

/** The body of `POST /users`. */
export const CreateUser = z.strictObject({ email, name: personName, password, role: role.optional() });

/** The body of `PATCH /users/:id`: at least one key. */
export const UpdateUser = z
  .strictObject({
    email: email.optional(),
    name: personName.optional(),
    role: role.optional(),
    status: status.optional(),
  })
  .refine(hasKey, NO_KEY)
  .meta({ minProperties: 1 });

/** The body of `POST /users/:id/password`. */
export const SetPassword = z.strictObject({ password });

export const USERS_PER_PAGE_MAX = 200;

/** More than anyone turns over, and few enough that the rows passed over are an integer of the database. */
const PAGE_MAX = 1_000_000;

/** What users can be sorted by. */
const SORT_KEYS = ["email", "name", "createdAt", "lastLoginAt", "role", "status"] as const;

export type UserSortKey = (typeof SORT_KEYS)[number];

const SORTS = SORT_KEYS.flatMap((key) => [key, `-${key}`] as const);

/** The query of `GET /users`. Without `page` and `limit` everyone is on one page. */
export const UsersQuery = z.strictObject({
  search: lineOfText({ min: 0, max: EMAIL_MAX_CHARS })
    .describe("Part of the email or the name, in any case; every character stands for itself")
    .optional(),
  sort: z.enum(SORTS).describe("`createdAt` when absent; with `-` from the last to the first").optional(),
  page: wholeNumber({ min: 1, max: PAGE_MAX }).describe("1 when absent").optional(),
  limit: wholeNumber({ min: 1, max: USERS_PER_PAGE_MAX })
    .describe("Users per page, 50 when only `page` is given")
    .optional(),
});
