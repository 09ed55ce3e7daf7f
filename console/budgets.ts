// Limits of what a browser loads before a screen is shown, so that a build that grows too large fails. The files are
// compressed once, at build time, and sent that way.
import { brotliCompressSync, constants } from 'node:zlib'
import type { Plugin } from 'vite'
import { isFirstTexts } from './screen-texts.ts'

const LISTS = [
  'alerts',
  'audit',
  'channels',
  'drawings',
  'logs',
  'prices',
  'pricing',
  'redemptions',
  'tasks',
  'teams',
  'tokens',
  'users',
]
const SIGN_IN = ['login', 'register', 'reset']

/** Returns the limit of a screen, in kB (1000 bytes) of compressed scripts, by the folder of the screen. */
export const getBudget = (screen: string): number =>
  SIGN_IN.includes(screen) ? 110 : LISTS.includes(screen) ? 150 : 200

/** In kB of the texts that a screen loads in a language other than English, in addition to its scripts. */
export const MOST_TEXTS = 15

/** Files that are loaded by themselves and that the first view of a screen shows, by one of their modules. */
const SHOWN_AT_ONCE: Readonly<Record<string, RegExp>> = {
  channel: /\/parts\/chart\/canvas\.tsx$/,
  detail: /\/parts\/chart\/canvas\.tsx$/,
  user: /\/parts\/chart\/canvas\.tsx$/,
}

/** Maximum number of scripts. A first screen also loads its page, its texts, the styles and its data. */
const MOST_FILES = 5

interface BundleChunk {
  type: 'chunk'
  name: string
  fileName: string
  code: string
  imports: string[]
  moduleIds: string[]
}
type Output = BundleChunk | { type: 'asset'; fileName: string; source: string | Uint8Array }

/** One screen: its weight and the files that it loads. */
interface Weight {
  screen: string
  bytes: number
  files: string[]
  /** The texts in the language in which they are heaviest. */
  texts: number
}

/** `WEIR_WEIGHTS=1` prints the weight of each screen. */
export const createBudgetPlugin = (): Plugin => ({
  name: 'weir:budgets',
  // A development build is neither weighed nor compressed: the tests make one in every run.
  apply: (_, { command, mode }) => command === 'build' && mode === 'production',
  // Runs after all other plugins, so that the packed files are the ones that are sent.
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      const outputs = Object.values(bundle) as Output[]
      const weights = weighScreens(outputs)
      const formatWeight = ({ screen, bytes, files, texts }: Weight) =>
        `${screen}: ${(bytes / 1000).toFixed(1)} kB of ${getBudget(screen)}, ${files.length} files of ${MOST_FILES}, texts ${(texts / 1000).toFixed(1)} kB of ${MOST_TEXTS}`
      if (process.env['WEIR_WEIGHTS']) process.stdout.write(`${weights.map(formatWeight).join('\n')}\n`)
      const over = weights.filter(
        ({ screen, bytes, files, texts }) =>
          bytes > getBudget(screen) * 1000 || files.length > MOST_FILES || texts > MOST_TEXTS * 1000,
      )
      if (over.length > 0) this.error(`Screens weigh more than they may. ${over.map(formatWeight).join('; ')}`)
      const schemas = outputs.filter(
        (each) => each.type === 'chunk' && each.moduleIds.some((id) => /[\\/]zod[\\/]/.test(id)),
      )
      if (schemas.length > 0)
        this.error('Schemas are in the page: import what was made of them from a file *.built.ts.')
      for (const output of outputs) {
        const body = output.type === 'chunk' ? output.code : output.source
        if (/\.(js|css|svg)$/.test(output.fileName) && body.length > 1000) {
          this.emitFile({ type: 'asset', fileName: `${output.fileName}.br`, source: compressFile(body) })
        }
      }
    },
  },
})

function weighScreens(outputs: Output[]): Weight[] {
  const chunks = new Map(
    outputs.filter((each): each is BundleChunk => each.type === 'chunk').map((each) => [each.fileName, each]),
  )
  const entry = [...chunks.values()].find(({ name }) => name === 'base')
  const screens = [...chunks.values()].flatMap((chunk) => {
    return chunk.moduleIds.flatMap((id) => {
      const screen = /\/screens\/([^/]+)\/page\.tsx$/.exec(id)?.[1]
      return screen ? [{ screen, chunk }] : []
    })
  })
  return screens.map(({ screen, chunk }) => {
    const shownAtOnce = [...chunks.values()].find(({ moduleIds }) =>
      moduleIds.some((id) => SHOWN_AT_ONCE[screen]?.test(id)),
    )
    const scripts = [...new Set([entry, chunk, shownAtOnce].flatMap((each) => (each ? withImports(each, chunks) : [])))]
    const bytes = scripts.reduce((sum, { code }) => sum + compressFile(code).length, 0)
    return {
      screen,
      bytes,
      texts: weighTexts(screen, [...chunks.values()]),
      files: scripts.map(({ fileName }) => fileName),
    }
  })
}

/** Weighs the texts that a screen loads in the language in which they are heaviest. */
const weighTexts = (screen: string, chunks: readonly BundleChunk[]): number =>
  Math.max(
    0,
    ...chunks
      .filter(({ moduleIds }) => moduleIds.some((id) => isFirstTexts(id, screen)))
      .map(({ code }) => compressFile(code).length),
  )

/** Returns a chunk with all of its static imports. */
function withImports(chunk: BundleChunk, chunks: ReadonlyMap<string, BundleChunk>): BundleChunk[] {
  const needed = new Set([chunk])
  for (const each of needed) for (const name of each.imports) if (chunks.has(name)) needed.add(chunks.get(name)!)
  return [...needed]
}

const known = new Map<string | Uint8Array, Buffer>()

function compressFile(body: string | Uint8Array): Buffer {
  const before = known.get(body)
  if (before) return before
  const made = brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } })
  known.set(body, made)
  return made
}
