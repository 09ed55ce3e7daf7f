// Evaluates the exports of `*.built.ts` at build time: the page gets the values, without the modules that computed
// them. Endpoints and forms thus come from their declarations, and no schema is sent to a browser.
import { runnerImport, type Plugin } from 'vite'

const BUILT = /\/console\/.*\.built\.ts$/

/** Every export must be representable as JSON. */
export const findBuiltValues = (): Plugin => ({
  name: 'weir:built-values',
  async load(id) {
    if (!BUILT.test(id)) return null
    const { module, dependencies } = await runnerImport<Record<string, unknown>>(id, { configFile: false })
    for (const file of dependencies) this.addWatchFile(file)
    const lost = Object.keys(module).filter((name) => JSON.stringify(module[name]) === undefined)
    if (lost.length > 0) this.error(`${id}: ${lost.join(', ')} cannot be said in JSON.`)
    return Object.entries(module)
      .map(
        ([name, value]) => `export const ${name} = /*#__PURE__*/ JSON.parse(${JSON.stringify(JSON.stringify(value))})`,
      )
      .join('\n')
  },
})
