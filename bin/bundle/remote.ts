// The plugins that keep the graph of the commands to a running Weir small.
import type { InputOptions, OutputChunk, Plugin } from 'rolldown'

/** Replaces modules by others that have the same exports. */
export const replaceModules = (replacements: Readonly<Record<string, string>>): Plugin => ({
  name: 'weir:replace-modules',
  async resolveId(source, importer, options) {
    if (!source.startsWith('.')) return null
    const found = await this.resolve(source, importer, { ...options, skipSelf: true })
    return (found && replacements[found.id]) ?? null
  },
})

const LATE_ZOD = '\0late-zod'

/** Loads zod when a schema is first built, which few of these commands do: for the configuration, from a flag. */
export const loadZodLate = (): Plugin => ({
  name: 'weir:late-zod',
  resolveId: (source) => (source === 'zod' ? LATE_ZOD : null),
  load: (id) =>
    id === LATE_ZOD
      ? `import { createRequire } from 'node:module'
         const load = createRequire(import.meta.url)
         export const z = /*#__PURE__*/ new Proxy({}, { get: (_, name) => load('./zod.cjs').used[name] })`
      : null,
})

const USED_ZOD = '\0used-zod'

/** The part of zod that those chunks use, by itself. */
export function bundleZod(chunks: readonly OutputChunk[]): InputOptions {
  const names = new Set(chunks.flatMap(({ code }) => [...code.matchAll(/\bz\.(\w+)/g)].map(([, name]) => name)))
  const members = [...names].sort().map((name) => `${name}: z.${name}`)
  return {
    input: { zod: USED_ZOD },
    plugins: [
      {
        name: 'weir:used-zod',
        resolveId: (source) => (source === USED_ZOD ? USED_ZOD : null),
        load: (id) =>
          id === USED_ZOD ? `import { z } from 'zod'\nexport const used = { ${members.join(', ')} }` : null,
      },
    ],
  }
}
