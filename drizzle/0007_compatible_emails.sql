-- Emails are compared in Unicode's compatibility form (NFKC), in which full-width letters are letters. An email that another account has
-- in that form already stays as it is, as in 0006, and so does one that would no longer be an email. Usually no row is changed.
DO $$
BEGIN
	-- In other encodings PostgreSQL knows no compatibility form.
	IF current_setting('server_encoding') = 'UTF8' THEN
		UPDATE "users" SET "email" = lower(normalize("email", NFKC)) WHERE "id" IN (
			SELECT DISTINCT ON (lower(normalize("one"."email", NFKC))) "one"."id" FROM "users" AS "one"
			WHERE "one"."email" IS NOT NFKC NORMALIZED
				AND normalize("one"."email", NFKC) ~ '^[^[:space:]@"(),:;<>[\]\\]{1,64}@[^[:space:]@"(),:;<>[\]\\.]+([.][^[:space:]@"(),:;<>[\]\\.]+)*$'
				AND NOT EXISTS (SELECT FROM "users" AS "other" WHERE lower("other"."email") = lower(normalize("one"."email", NFKC)))
			ORDER BY lower(normalize("one"."email", NFKC)), "one"."status" = 'active' DESC, "one"."role" = 'admin' DESC, "one"."created_at", "one"."id"
		);
	END IF;
END
$$;
