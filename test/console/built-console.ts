// Selects the build of the console for the tests: `npm test` opens the result of `npm run build`, and `npm run
// test:all` a development build, in which React warns about mistakes.
import { existsSync } from 'node:fs'
import { mkdir, readdir, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runsAllTests } from '../support/suite.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const consoleFolder = join(root, 'console')
const builtFolder = join(root, 'dist', 'console')
/** The console is built from these. */
const sourceFolders = [consoleFolder, join(root, 'core')]

/** The folder of the console that the tests open. */
export async function findBuiltConsole(): Promise<string> {
  if (runsAllTests) return buildOnceForDevelopment()
  if (existsSync(join(builtFolder, 'index.html'))) return builtFolder
  throw new Error(`The tests open the built console, and ${builtFolder} has none: run \`npm run build\` first.`)
}

/** Builds once for all test files of a run, in its folder: the first file that comes builds, and the others wait for it. */
async function buildOnceForDevelopment(): Promise<string> {
  const folder = join(tmpdir(), `weir-console-${process.ppid}-${await newestChange(sourceFolders)}`)
  const done = `${folder}.done`
  const first = await mkdir(folder).then(
    () => true,
    () => false,
  )
  if (first) {
    await buildConsole(folder)
    await writeFile(done, '')
  }
  while (!existsSync(done)) await new Promise((resolve) => setTimeout(resolve, 50))
  return folder
}

/** For development, so that React warns of what is wrong. `page` is another one than the console's own. */
export async function buildConsole(outDir: string, page = 'index.html'): Promise<void> {
  const before = process.env['NODE_ENV']
  process.env['NODE_ENV'] = 'development'
  // Loaded only where something is built: Vite takes long to load.
  const { build } = await import('vite')
  try {
    await build({
      configFile: join(consoleFolder, 'vite.config.ts'),
      mode: 'development',
      logLevel: 'error',
      build: { outDir, emptyOutDir: true, minify: false, rolldownOptions: { input: join(consoleFolder, page) } },
    })
  } finally {
    if (before === undefined) delete process.env['NODE_ENV']
    else process.env['NODE_ENV'] = before
  }
}

async function newestChange(folders: string[]): Promise<number> {
  const lists = await Promise.all(folders.map((folder) => readdir(folder, { recursive: true })))
  const files = lists.flatMap((names, index) => names.map((name) => join(folders[index] ?? '', name)))
  const times = await Promise.all(files.map(async (file) => (await stat(file)).mtimeMs))
  return Math.round(Math.max(...times))
}
