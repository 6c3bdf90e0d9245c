-- One row for each sealed batch of the audit trail. The rows of a batch are those after the previous batch, up to its last one.
CREATE TABLE "audit_seals" (
	"sequence" integer PRIMARY KEY CHECK ("sequence" > 0),
	"first_at" timestamp (3) with time zone NOT NULL,
	"first_id" uuid NOT NULL,
	"last_at" timestamp (3) with time zone NOT NULL,
	"last_id" uuid NOT NULL,
	"rows" integer NOT NULL CHECK ("rows" > 0),
	"rows_hash" bytea NOT NULL CHECK (length("rows_hash") = 32),
	"hash" bytea NOT NULL CHECK (length("hash") = 32),
	"sealed_at" timestamp (3) with time zone NOT NULL,
	"pruned_at" timestamp (3) with time zone
);
