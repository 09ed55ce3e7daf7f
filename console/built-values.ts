// What a file `*.built.ts` exports is made when the console is built: the page gets the outcome, and nothing that it was
// made with. So endpoints and forms are told by their declarations, and no schema is sent to a browser.
import { runnerImport, type Plugin } from 'vite'

const BUILT = /\/console\/.*\.built\.ts$/

/** Every export must be what JSON can say. */
export const builtValues = (): Plugin => ({
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
