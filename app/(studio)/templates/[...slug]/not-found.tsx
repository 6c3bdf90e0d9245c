import { LinkButton } from "../../../ui/link-button.tsx";
import { NearestTemplates } from "../nearest-templates.tsx";

/** For addresses below `/templates/` that no template has. */
export default function TemplateNotFound() {
  return (
    <div className="py-[8vh]">
      <p className="font-mono text-accent text-sm">404</p>
      <h1 className="mt-3 max-w-[22ch] font-display font-semibold text-3xl tracking-tight">
        There is no such template.
      </h1>
      <NearestTemplates />
      <p className="mt-8">
        <LinkButton href="/">See all templates</LinkButton>
      </p>
    </div>
  );
}
