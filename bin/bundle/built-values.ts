// The values of `*.built.ts`: the bundle gets them instead of the modules that compute them.
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Plugin } from 'rolldown'

const BUILT = /\/(cli|core)\/.*\.built\.ts$/

/** Reads the values from the modules that the compiler has written. Every export must be representable as JSON. */
export const readBuiltValues = (root: string): Plugin => ({
  name: 'weir:built-values',
  async load(id) {
    if (!BUILT.test(id)) return null
    const compiled = join(root, 'dist', relative(root, id).replace(/\.ts$/, '.js'))
    const module = (await import(pathToFileURL(compiled).href)) as Record<string, unknown>
    return Object.entries(module)
      .map(([name, value]) => {
        const text = JSON.stringify(value) as string | undefined
        if (text === undefined) this.error(`${id}: ${name} cannot be said in JSON.`)
        return `export const ${name} = /*#__PURE__*/ JSON.parse(${JSON.stringify(text)})`
      })
      .join('\n')
  },
})
