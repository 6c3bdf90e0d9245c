-- Emails are compared in Unicode's composed form. An email that another account has in that form already stays as it is: nobody
-- can sign in with it, and an administrator sees both accounts in the list and can change one. Usually no row is changed.
DO $$
BEGIN
	-- In other encodings PostgreSQL knows no composed form.
	IF current_setting('server_encoding') = 'UTF8' THEN
		UPDATE "users" SET "email" = normalize("email", NFC) WHERE "id" IN (
			SELECT DISTINCT ON (lower(normalize("one"."email", NFC))) "one"."id" FROM "users" AS "one"
			WHERE "one"."email" IS NOT NFC NORMALIZED
				AND NOT EXISTS (SELECT FROM "users" AS "other" WHERE lower("other"."email") = lower(normalize("one"."email", NFC)))
			ORDER BY lower(normalize("one"."email", NFC)), "one"."status" = 'active' DESC, "one"."role" = 'admin' DESC, "one"."created_at", "one"."id"
		);
	END IF;
END
$$;
