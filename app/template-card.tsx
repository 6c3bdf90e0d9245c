import type { TemplateSummary } from "#lib/schemas/template.ts";

/** How long the longer side of the drawn outline is, in CSS pixels. */
const OUTLINE_PX = 56;

/** The picture's proportions, as an outline. */
function Outline({ width, height }: { width: number; height: number }) {
  const scale = OUTLINE_PX / Math.max(width, height);
  return (
    <svg
      className="flex-none fill-none stroke-[1.5] stroke-accent"
      width={OUTLINE_PX}
      height={OUTLINE_PX}
      aria-hidden="true"
    >
      <rect
        x={(OUTLINE_PX - width * scale) / 2 + 1}
        y={(OUTLINE_PX - height * scale) / 2 + 1}
        width={width * scale - 2}
        height={height * scale - 2}
        rx="3"
      />
    </svg>
  );
}

const CHIP = "rounded-md border border-line px-2 py-0.5 font-mono text-[0.8125rem] [overflow-wrap:anywhere]";
const TERM = "mt-3 font-semibold text-soft text-xs uppercase tracking-wider";
const CHIPS = "mt-1.5 flex flex-wrap gap-1.5";

/** One template: its size, its variants and the fields that a call may edit. */
export function TemplateCard({ template }: { template: TemplateSummary }) {
  const { slug, title, description, width, height, variants, defaultVariant, fields } = template;
  return (
    <li className="min-w-0 rounded-lg border border-line bg-surface p-5">
      <div className="flex justify-between gap-4">
        <div>
          <h3 className="font-display font-semibold text-xl">{title}</h3>
          <p className="mt-1 text-[0.8125rem] text-soft tabular-nums">
            <code className="font-mono">{slug}</code> ·{" "}
            <span className="whitespace-nowrap">
              {width} × {height}
            </span>
          </p>
        </div>
        <Outline width={width} height={height} />
      </div>
      <p className="mt-3">{description}</p>
      <dl>
        <dt className={TERM}>Variants</dt>
        <dd className={CHIPS}>
          {variants.map((name) => (
            <code key={name} className={CHIP}>
              {name}
              {name === defaultVariant && <span className="text-soft"> default</span>}
            </code>
          ))}
        </dd>
        <dt className={TERM}>Fields</dt>
        <dd className={CHIPS}>
          {Object.entries(fields).map(([name, { type, required }]) => (
            <code key={name} className={CHIP}>
              {name}
              <span className="text-soft">
                {" "}
                {type}
                {required && ", required"}
              </span>
            </code>
          ))}
        </dd>
      </dl>
    </li>
  );
}
