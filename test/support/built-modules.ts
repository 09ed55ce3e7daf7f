// Lets the tests run the product as it is built: the modules of `dist` instead of the sources they are made of.
import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vitest/config'

/** The variable by which `test/run.ts` tells Vitest that `dist` has just been built. */
export const BUILT_VARIABLE = 'WEIR_TEST_BUILT'

/** The built modules, which Node loads by itself: nothing is transformed, and each is loaded once by each worker. */
export const BUILT_MODULES = /\/dist\/(?:bundle|remote|core|cli|http|migrations)\//

const root = fileURLToPath(new URL('../..', import.meta.url))
const SOURCE = /^(?:core|cli|http|migrations)\/.*\.tsx?$/

/** Resolves what a test imports of the product to the built module. */
export const builtModules: Plugin = {
  name: 'built-modules',
  enforce: 'pre',
  resolveId(id, importer) {
    if (!importer || !id.startsWith('.')) return null
    const path = resolve(dirname(importer), id)
    const source = path.startsWith(root) ? path.slice(root.length) : ''
    if (!SOURCE.test(source)) return null
    const built = `${root}dist/${source.replace(/\.tsx?$/, '.js')}`
    return existsSync(built) ? { id: built, external: true } : null
  },
}
