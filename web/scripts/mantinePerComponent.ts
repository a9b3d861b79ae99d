import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const BARREL = '@mantine/core';

/**
 * Points imports from Mantine's one barrel at the files behind it, so that a chunk carries
 * the components it uses and not all of the library.
 */
export function mantinePerComponent(): Plugin {
  const files = new Map<string, { file: string; name: string }>();
  return {
    name: 'mantine-per-component',
    apply: 'build',
    buildStart() {
      const barrel = fileURLToPath(import.meta.resolve(BARREL));
      for (const [, names, file] of readFileSync(barrel, 'utf8').matchAll(
        /^import \{([^}]+)\} from "([^"]+)";$/gm,
      )) {
        for (const { name, local } of specifiers(names!)) {
          files.set(local, { file: join(dirname(barrel), file!), name });
        }
      }
    },
    transform(code, id) {
      if (id.includes('/node_modules/') || !code.includes(BARREL)) return null;
      return code.replace(
        /import\s*\{([^}]+)\}\s*from\s*["']@mantine\/core["'];?/g,
        (_, names: string) =>
          specifiers(names)
            .map(({ name, local }) => {
              const source = files.get(name);
              if (!source) throw new Error(`${BARREL} does not export ${name}`);
              return `import { ${source.name} as ${local} } from ${JSON.stringify(source.file)};`;
            })
            .join('\n'),
      );
    },
  };
}

function specifiers(list: string): { name: string; local: string }[] {
  return list
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
    .map((part) => {
      const [name = part, local = name] = part.split(/\s+as\s+/);
      return { name, local };
    });
}
