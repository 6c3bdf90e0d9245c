import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { jsonSchemas, SCHEMAS_DIR } from "#lib/templates/folders/json-schemas.ts";

it('the JSON Schemas that editors follow are current: "npm run templates -- schemas" writes them', () => {
  for (const [file, schema] of Object.entries(jsonSchemas()))
    expect(JSON.parse(readFileSync(join(SCHEMAS_DIR, file), "utf8")), file).toEqual(JSON.parse(JSON.stringify(schema)));
});
