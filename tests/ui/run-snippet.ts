import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { isInstalled } from "#scripts/programs/is-installed.ts";
import { LANGUAGE_NAMES, type LanguageName } from "../../app/(studio)/templates/snippets/languages.ts";

/** The commands that run the code of each language. */
const RUN: Record<LanguageName, { command: string; args?: string[]; file: string }> = {
  curl: { command: "sh", file: "render.sh" },
  typescript: { command: process.execPath, file: "render.mts" },
  python: { command: "python3", file: "render.py" },
  go: { command: "go", args: ["run"], file: "render.go" },
  php: { command: "php", file: "render.php" },
  ruby: { command: "ruby", file: "render.rb" },
};

/** The languages that this machine runs. A fresh machine may have nothing but Node and a shell. */
export const HERE = LANGUAGE_NAMES.filter(
  (name) => isInstalled(RUN[name].command) && (name !== "curl" || isInstalled("curl")),
);

/** The languages whose code the tests cannot run here. */
export const MISSING = LANGUAGE_NAMES.filter((name) => !HERE.includes(name));

type Ran = { code: number; stdout: string; stderr: string };

/** Runs code from a file in a folder. */
export function runSnippet(
  language: LanguageName,
  { code, dir, env = {} }: { code: string; dir: string; env?: Record<string, string> },
): Promise<Ran> {
  const { command, args = [], file } = RUN[language];
  writeFileSync(join(dir, file), `${code}\n`);
  return new Promise((resolve) => {
    const options = { cwd: dir, env: { ...process.env, NO_PROXY: "127.0.0.1", ...env }, timeout: 60_000 };
    execFile(command, [...args, file], options, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr });
    });
  });
}

/** Values that at least one language would misread without escaping. */
export const HOSTILE = {
  quotes: `it's "quoted" \`thrice\` ''' """ '"'"'`,
  backslashes: "\\ \\\\ \\n \\u0041 \\x41 \\' \\\" C:\\new\\table\\",
  shell: "$HOME ${HOME} $(id) `id` !! !echo $' \\$HOME ~ * ; & | > <",
  hereDocument: "JSON\nJSON\n'JSON'\n<<JSON\nEOF",
  lines: "one\ntwo\r\nthree\rfour\tfive",
  separators: "a\u2028b\u2029c\u0085d\u00a0e\ufefff\u00ad",
  controls: "\u0000\u0001\u0007\b\f\u000b\u001b[31m\u007f\u009f",
  php: "{$body} ${body} $body <?php ?> {${phpinfo()}}",
  ruby: "#{exit} #$0 #@a %q(x) __END__\n__END__\n=begin",
  python: "{body} %s %(x)s \\N{BULLET} r'' f''",
  go: "%s %v `raw`",
  typescript: "${process.exit()} </script> /* */ // {{x}}",
  direction: "\u202eevil\u202c \u2066a\u2069 \u200f\u200e",
  scripts: "على قدر أهل العزم — 行かふ年も又旅人也 — हिन्दी — ไทย",
  emoji: "👩‍👩‍👧‍👦 🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f} 🇳🇴 👍🏽 e\u0301 \u{10ffff} \u{f0000}",
  empty: "",
};
