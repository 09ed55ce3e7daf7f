// Tells whether what was built last is still that of the sources, by the times of the files, as `make` does.
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** All that goes into the build. npm writes the last one at the end of each installation. */
const INPUTS = [
  ...['bin', 'core', 'cli', 'http', 'console', 'migrations'],
  ...['package.json', 'tsconfig.json', 'node_modules/.package-lock.json'],
]

/** What the bundler and Vite write last. */
const OUTPUTS = ['dist/bundled-modules.json', 'dist/console/index.html']

/** @param root of the repository */
export function isBuildFresh(root: string, { inputs = INPUTS, outputs = OUTPUTS } = {}): boolean {
  const builtAt = Math.min(...outputs.map((path) => readTime(join(root, path)) ?? 0))
  return inputs.every((path) => isOlder(join(root, path), builtAt))
}

/** A folder is as young as the last file that came to it or left it. */
function isOlder(path: string, than: number): boolean {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (!stats || stats.mtimeMs >= than) return false
  return !stats.isDirectory() || readdirSync(path).every((name) => isOlder(join(path, name), than))
}

const readTime = (path: string) => statSync(path, { throwIfNoEntry: false })?.mtimeMs
