// The version, and help that was printed before, without loading the commands: they cost ten times as much as Node itself.
import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { getCacheFolder, removeCacheFiles, writePrivateCache } from './completion/names.ts'
import type { ShellVariables } from './language.ts'

interface QuickOutput {
  write(text: string): unknown
  isTTY?: boolean
  columns?: number
}

/** Variables that choose the language of help. */
const LANGUAGE_VARIABLES = ['WEIR_LANGUAGE', 'LC_ALL', 'LC_MESSAGES', 'LANG'] as const

/** Answers a command line that asks for the version or for help. Returns false if it asks for anything else. */
export async function answerQuickly(
  args: readonly string[],
  env: ShellVariables,
  stdout: QuickOutput,
): Promise<boolean> {
  const manifest = readFileSync(path.join(import.meta.dirname, toManifest(import.meta.dirname)), 'utf8')
  const { version } = JSON.parse(manifest) as { version: string }
  if (args.length === 1 && args[0] === '--version') {
    stdout.write(`${version}\n`)
    return true
  }
  if (!asksForHelp(args, stdout)) return false
  const columns = stdout.isTTY ? stdout.columns : undefined
  const languages = LANGUAGE_VARIABLES.map((name) => env[name] ?? '')
  const build = `${HELP_FILE}${shortHash([version, stampBuild()])}-`
  const file = path.join(getCacheFolder(env), `${build}${shortHash([args, columns ?? 0, languages])}.txt`)
  const text = readText(file) ?? (await renderAndKeep({ file, build }, args, env, columns))
  if (text !== undefined) stdout.write(text)
  return text !== undefined
}

/** Only words before the flag: anything else may be a value, or an option that changes the help. */
function asksForHelp(args: readonly string[], { isTTY }: QuickOutput): boolean {
  if (args.length === 0) return !isTTY
  return ['--help', '-h'].includes(args.at(-1)!) && args.slice(0, -1).every((word) => /^[a-z][a-z-]*$/.test(word))
}

async function renderAndKeep(
  { file, build }: { file: string; build: string },
  args: readonly string[],
  env: ShellVariables,
  columns: number | undefined,
): Promise<string | undefined> {
  const { renderHelp } = await import('./main.ts')
  const text = await renderHelp(args, env, columns)
  if (text === undefined) return undefined
  // Nothing reads the help texts of other builds any more.
  removeCacheFiles(path.dirname(file), (name) => name.startsWith(HELP_FILE) && !name.startsWith(build))
  writePrivateCache(file, text)
  return text
}

/** The beginning of the names of cached help texts, which continue with the build. */
const HELP_FILE = 'help-'
const HASH_LENGTH = 16
const shortHash = (parts: unknown): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, HASH_LENGTH)

/** Returns what changes with each build: the time and size of this program, and of the record of an incremental build. */
const stampBuild = (): (string | undefined)[] =>
  [
    path.join(import.meta.dirname, `main${path.extname(import.meta.filename)}`),
    path.join(import.meta.dirname, '../.tsbuildinfo'),
  ].map((file) => {
    const found = statSync(file, { throwIfNoEntry: false })
    return found && `${found.mtimeMs}-${found.size}`
  })

/** The built program lies one folder deeper than its source. */
const toManifest = (folder: string) =>
  path.basename(path.dirname(folder)) === 'dist' ? '../../package.json' : '../package.json'

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
