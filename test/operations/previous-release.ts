// The release before this one: the commit that CHANGELOG.md names, built in a folder of its own.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const repository = fileURLToPath(new URL('../..', import.meta.url))

export interface PreviousRelease {
  commit: string
  /** Its `bin/weir.js`. */
  program: string
  remove(): void
}

/**
 * The commit that the newest part of the changelog says it can be upgraded from: by its hash, or by its subject where the history
 * was written anew since. @throws Error where it names none that is there
 */
export function previousCommit(): string {
  const changelog = readFileSync(join(repository, 'CHANGELOG.md'), 'utf8')
  const [, hash = '', subject = ''] = /`([0-9a-f]{40})` \("([^"]+)"\)/.exec(changelog) ?? []
  const git = (...args: string[]) => execFileSync('git', ['-C', repository, ...args], { encoding: 'utf8' }).trim()
  const found = git('log', '--all', '--format=%H %s').split('\n')
  const named = found.find((line) => line.startsWith(hash)) ?? found.find((line) => line.endsWith(` ${subject}`))
  if (hash === '' || named === undefined)
    throw new Error('CHANGELOG.md names no commit of the release before that is there.')
  return named.slice(0, hash.length)
}

/** Builds it, which takes minutes; `built` is a folder where somebody has. */
export function previousRelease(built?: string): PreviousRelease {
  const commit = previousCommit()
  if (built !== undefined) return { commit, program: join(built, 'bin/weir.js'), remove: () => undefined }
  const folder = mkdtempSync(join(tmpdir(), 'weir-previous-'))
  const run = (command: string, args: string[], cwd = folder) => execFileSync(command, args, { cwd, stdio: 'inherit' })
  run('git', ['worktree', 'add', '--detach', '--force', folder, commit], repository)
  const lock = (of: string) => readFileSync(join(of, 'package-lock.json'), 'utf8')
  if (lock(folder) === lock(repository)) symlinkSync(join(repository, 'node_modules'), join(folder, 'node_modules'))
  else run('npm', ['ci', '--ignore-scripts'])
  run('npm', ['run', 'build'])
  return {
    commit,
    program: join(folder, 'bin/weir.js'),
    remove() {
      run('git', ['worktree', 'remove', '--force', folder], repository)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
