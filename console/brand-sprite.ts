// Puts the marks that brand-marks.ts names into one picture, so that a list of many providers needs one request for them.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { runnerImport, type Plugin } from 'vite'

const MARKS = fileURLToPath(new URL('parts/text/brand-marks.ts', import.meta.url))
const SPRITE = 'virtual:brand-sprite'
const DEVELOPED = '/brand-sprite.svg'

/** The default export of `virtual:brand-sprite` is the address of the picture; its fragment selects a mark. */
export function bundleBrandMarks(): Plugin {
  let isServing = false
  return {
    name: 'weir:brand-marks',
    configResolved: ({ command }) => void (isServing = command === 'serve'),
    configureServer: ({ middlewares }) =>
      void middlewares.use(DEVELOPED, (_, response) => {
        response.setHeader('content-type', 'image/svg+xml')
        void buildSprite().then((sprite) => response.end(sprite))
      }),
    resolveId: (id) => (id === SPRITE ? `\0${SPRITE}` : null),
    async load(id) {
      if (id !== `\0${SPRITE}`) return null
      if (isServing) return `export default ${JSON.stringify(DEVELOPED)}`
      const file = this.emitFile({ type: 'asset', name: 'brand-sprite.svg', source: await buildSprite() })
      return `export default import.meta.ROLLUP_FILE_URL_${file}`
    },
  }
}

async function buildSprite(): Promise<string> {
  const { module } = await runnerImport<{ brandMarkFiles: readonly string[] }>(MARKS, { configFile: false })
  const { resolve } = createRequire(import.meta.url)
  const marks = module.brandMarkFiles.map((name) => {
    const text = readFileSync(resolve(`@lobehub/icons-static-svg/icons/${name}.svg`), 'utf8')
    return text
      .replace(/<title>.*?<\/title>/, '')
      .replace(/<svg [^>]*>/, (tag) =>
        tag.replace(/ (?:width|height|style|xmlns)="[^"]*"/g, '').replace('<svg', `<svg id="${name}"`),
      )
  })
  const style = '<style>svg>svg{display:none}svg>svg:target{display:inline}</style>'
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">${style}${marks.join('')}</svg>`
}
