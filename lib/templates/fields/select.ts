import { z } from "zod";
import { show, wrongType } from "../faults/value-faults.ts";
import { translationFor } from "../filters/translation.ts";
import { WrittenValue } from "../filters/written-value.ts";
import { commonDeclaration, type FieldType } from "./field-type.ts";

const option = z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, "want lower-case words joined by hyphens");

const words = z.string().trim().min(1).max(60);

/** Words in one language, or in several by their tags; English then is what other languages get. */
const label = z.union([words, z.record(z.string().regex(/^[a-z]{2,3}(?:-[A-Z][a-z]{3})?$/), words)]);

type OptionLabel = z.infer<typeof label>;

export const selectDeclaration = z
  .strictObject({
    ...commonDeclaration,
    type: z.literal("select"),
    /** Lower-case words, because a template may use them as class names. */
    options: z.array(option).min(2),
    /** The words for each option, which the studio shows and the template may. */
    labels: z.record(option, label).optional(),
    /** A picture for each option, as a file of the assets folder, which the studio shows and the template may. */
    pictures: z.record(option, z.string().startsWith("assets/", "want a file such as assets/left.svg")).optional(),
  })
  .superRefine(({ options, labels, pictures }, context) => {
    for (const [index, name] of options.entries())
      if (options.indexOf(name) < index)
        context.addIssue({ code: "custom", path: ["options", index], message: `Got "${name}" twice, want it once` });
    for (const [key, named] of Object.entries({ labels, pictures })) {
      if (named === undefined) continue;
      const missing = options.find((name) => !Object.hasOwn(named, name));
      const unknown = Object.keys(named).find((name) => !options.includes(name));
      if (missing !== undefined)
        context.addIssue({ code: "custom", path: [key], message: `Want an entry for the option "${missing}" too` });
      if (unknown !== undefined)
        context.addIssue({ code: "custom", path: [key, unknown], message: `Got "${unknown}", which is no option` });
    }
    for (const [name, given] of Object.entries(labels ?? {}))
      if (typeof given === "object" && given.en === undefined)
        context.addIssue({ code: "custom", path: ["labels", name], message: 'Want "en" too, for all other languages' });
  });

type SelectDeclaration = z.infer<typeof selectDeclaration>;

/** The words for an option in a language: those in English where it has none. */
function labelIn(given: OptionLabel, language: string): string {
  if (typeof given === "string") return given;
  return (language === "" ? undefined : translationFor(given, language)) ?? given.en ?? "";
}

export const selectField: FieldType<SelectDeclaration, string> = {
  read(value, { options }) {
    const wanted = `one of ${options.map((name) => `"${name}"`).join(", ")}`;
    if (typeof value !== "string") return wrongType(value, wanted);
    if (!options.includes(value)) {
      return { fault: { code: "invalid_option", message: `Got ${show(value)}, want ${wanted}.` } };
    }
    return { value };
  },
  present(value, { labels, pictures }, { language }) {
    const given = labels?.[value];
    const picture = pictures?.[value];
    if (given === undefined && picture === undefined) return value;
    const label = given === undefined ? {} : { label: labelIn(given, language) };
    return new WrittenValue({
      text: value,
      raw: value,
      facts: { ...label, ...(picture !== undefined && { picture }) },
    });
  },
  jsonSchema: ({ options }) => ({ type: "string", enum: options }),
  sample: ({ options }) => options[0] ?? "",
  hostile: [],
};
