import { LinkButton } from "../../../ui/form/button.tsx";
import { NearestTemplates } from "../nearest-templates.tsx";

export default function TemplateNotFound() {
  return (
    <div className="py-[8vh]">
      <p className="font-mono text-accent text-sm">404</p>
      <h1 className="mt-3 max-w-[22ch] font-display font-semibold text-3xl tracking-tight">Template not found</h1>
      <NearestTemplates />
      <p className="mt-8">
        <LinkButton href="/">See all templates</LinkButton>
      </p>
    </div>
  );
}
