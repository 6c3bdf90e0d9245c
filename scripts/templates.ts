import { buildRegistry, describeFault, REGISTRY_FILE } from "#lib/templates/build-registry.ts";

const { templates, faults } = await buildRegistry();
for (const fault of faults) console.error(`templates/${describeFault(fault)}`);
const variants = templates.reduce((sum, template) => sum + Object.keys(template.variants).length, 0);
console.log(`Wrote ${templates.length} templates with ${variants} variants to ${REGISTRY_FILE}`);
if (faults.length > 0) process.exitCode = 1;
