// The temporary folder of a test run. Everything that the tests write to the temporary folder of the system is below it, so that
// a run leaves nothing behind, whatever becomes of its tests. It names what its tests have not removed themselves.
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** Workers that end remove their last folders, which takes a busy machine a moment. In ms. */
const PATIENCE_MS = 5_000

export default async function makeRunFolder(): Promise<() => Promise<void>> {
  const before = process.env['TMPDIR']
  const folder = await mkdtemp(join(tmpdir(), 'weir-tests-'))
  // A PostgreSQL server runs as a user of its own, who has to reach its folder.
  await chmod(folder, 0o755)
  process.env['TMPDIR'] = folder
  return async () => {
    if (before === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = before
    const left = await waitUntilEmpty(folder)
    await rm(folder, { recursive: true, force: true })
    if (left.length === 0) return
    process.stderr.write(`\n The tests left ${left.length} temporary files and folders: ${list(left)}\n`)
  }
}

async function waitUntilEmpty(folder: string): Promise<string[]> {
  const deadline = Date.now() + PATIENCE_MS
  for (;;) {
    const left = (await readdir(folder)).filter((name) => !isCache(name))
    if (left.length === 0 || Date.now() > deadline) return left
    await sleep(50)
  }
}

/** What processes of the run share to its end: what tsx and Node have compiled, and the console of `npm run test:all`. */
const isCache = (name: string): boolean => /^(tsx-|node-compile-cache$|weir-console-)/.test(name)

/** Up to twenty names. */
const list = (names: readonly string[]): string =>
  [...names].sort().slice(0, 20).join(', ') + (names.length > 20 ? ', …' : '')
