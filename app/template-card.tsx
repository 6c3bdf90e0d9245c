import type { TemplateSummary } from "#lib/schemas/template.ts";

/** How long the longer side of the drawn outline is, in CSS pixels. */
const OUTLINE_PX = 56;

/** The picture's proportions, as an outline. */
function Outline({ width, height }: { width: number; height: number }) {
  const scale = OUTLINE_PX / Math.max(width, height);
  return (
    <svg className="outline" width={OUTLINE_PX} height={OUTLINE_PX} aria-hidden="true">
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

/** One template: its size, its variants and the fields that a call may edit. */
export function TemplateCard({ template }: { template: TemplateSummary }) {
  const { slug, title, description, width, height, variants, defaultVariant, fields } = template;
  return (
    <li className="card">
      <div className="card-head">
        <div>
          <h3>{title}</h3>
          <p className="slug">
            <code>{slug}</code> ·{" "}
            <span className="size">
              {width} × {height}
            </span>
          </p>
        </div>
        <Outline width={width} height={height} />
      </div>
      <p>{description}</p>
      <dl>
        <dt>Variants</dt>
        <dd>
          {variants.map((name) => (
            <code key={name} title={name === defaultVariant ? "used when a call names none" : undefined}>
              {name}
              {name === defaultVariant && <span className="default"> default</span>}
            </code>
          ))}
        </dd>
        <dt>Fields</dt>
        <dd>
          {Object.entries(fields).map(([name, { type, required }]) => (
            <code key={name}>
              {name}
              <span className="type">
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
