// Every source file of the tree and what it imports, for the tests that hold its structure.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url))

const ignored = new Set(['node_modules', 'dist', '.git', 'weir-data'])

const filesBelow = (folder: string): string[] =>
  readdirSync(join(root, folder)).flatMap((name) => {
    if (ignored.has(name)) return []
    const path = join(folder, name)
    return statSync(join(root, path)).isDirectory() ? filesBelow(path) : [path]
  })

export const sources = ['core', 'http', 'cli', 'bundle', 'console', 'migrations', 'examples', 'test', 'bin']
  .flatMap(filesBelow)
  .filter((file) => /\.(ts|tsx|js)$/.test(file))

export interface Import {
  from: string
  /** A path from the root, or a package's name. */
  to: string
  typeOnly: boolean
  /** With `import()`: loaded when it is come to. */
  late: boolean
}

const IMPORT = /^\s*(?:import|export)\s+(type\s+)?(?:[^'";]*?\sfrom\s+)?'([^']+)'|import\('([^']+)'\)/gm

function importsOf(file: string): Import[] {
  const text = readFileSync(join(root, file), 'utf8')
  return [...text.matchAll(IMPORT)].map(([, type, statically, dynamically]) => {
    const name = statically ?? dynamically ?? ''
    const to = name.startsWith('.') ? relative(root, resolve(root, dirname(file), name)) : name
    return { from: file, to, typeOnly: type !== undefined, late: statically === undefined }
  })
}

export const imports = sources.flatMap(importsOf)

export const isLocal = (to: string): boolean => /^(core|http|cli|console|migrations|examples|test|bin|dist)\//.test(to)
