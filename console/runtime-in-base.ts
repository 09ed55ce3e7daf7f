// Joins the bundler's runtime to the base: every screen loads both, and each file is a request.
import type { Plugin, Rolldown } from 'vite'

/** The helpers of the bundler, as the base exports them. */
const HELPERS = '__weirHelpers'
const IMPORT = /import\s*\{([^}]*)\}\s*from\s*["']\.\/rolldown-runtime-[\w-]+\.js["'];?/
const EXPORTS = /export\s*\{([^}]*)\};?\s*$/

/** The base imports nothing else, so every file that imports it finds the runtime ready. */
export const joinRuntimeToBase = (): Plugin => ({
  name: 'weir:runtime-in-base',
  apply: 'build',
  // Runs once the page and the lists of preloaded files are written.
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      const chunks = Object.values(bundle).filter((each) => each.type === 'chunk')
      const base = chunks.find(({ name }) => name === 'base')
      const runtime = chunks.find(({ name }) => name === 'rolldown-runtime')
      if (!base || !runtime) return
      joinRuntime(base, runtime, chunks)
      delete bundle[runtime.fileName]
      const page = Object.values(bundle).find(({ fileName }) => fileName.endsWith('.html'))
      if (page?.type !== 'asset' || typeof page.source !== 'string') return
      const lines = page.source.split('\n')
      page.source = lines.filter((line) => !line.includes(runtime.fileName)).join('\n')
    },
  },
})

type Chunk = Rolldown.OutputChunk

/** Moves the runtime into the base; the other files import it from there. */
function joinRuntime(base: Chunk, runtime: Chunk, chunks: readonly Chunk[]): void {
  const names = EXPORTS.exec(runtime.code)?.[1] ?? ''
  const members = names.split(',').map((each) => {
    const [own, exported = own] = each.trim().split(/\s+as\s+/)
    return `${exported}:${own}`
  })
  const body = runtime.code.replace(EXPORTS, '')
  const [nameOf, file] = [(each: Chunk) => each.fileName.split('/').at(-1)!, /[^/]*$/.exec(base.fileName)![0]]
  for (const chunk of chunks) {
    const found = IMPORT.exec(chunk.code)
    const taken = found && `const {${found[1]!.replace(/\s+as\s+/g, ':')}}=${HELPERS};`
    if (chunk === base) {
      chunk.code = `const ${HELPERS}=(()=>{${body};return {${members.join()}}})();${chunk.code.replace(IMPORT, () => taken ?? '')}\nexport{${HELPERS}};`
    } else if (taken) chunk.code = chunk.code.replace(IMPORT, () => `import{${HELPERS}}from"./${file}";${taken}`)
    chunk.code = chunk.code.replaceAll(`./${nameOf(runtime)}`, `./${file}`)
    chunk.imports = chunk.imports
      .map((name) => (name === runtime.fileName ? base.fileName : name))
      .filter((name) => name !== chunk.fileName)
  }
}
