// Installs an agent from its registry into a separate folder outside the repository; an existing installation is
// reused.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, mkdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { runUv } from '../support/uv.ts'
import type { Agent } from './agent.ts'

const FOLDER = process.env.WEIR_AGENTS ?? join(tmpdir(), 'weir-agents')
/** How long npm may take, in ms. */
const PATIENCE_MS = 600_000

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

/** The path of the agent's command. @throws Error where its registry does not have it, or is out of reach */
export async function installed({ install, registry, command }: Agent): Promise<string> {
  const folder = join(FOLDER, install.replaceAll(/[/ =]+/g, '+'))
  const path = join(folder, registry === 'pypi' ? 'bin' : join('node_modules', '.bin'), command)
  if (await exists(path)) return path
  await mkdir(folder, { recursive: true })
  await (registry === 'pypi' ? fromPypi(folder, install) : fromNpm(folder, install.split(' ')))
  if (!(await exists(path))) throw new Error(`${install} has no command ${command}`)
  return path
}

/** It takes a Python that the agent can run on, or the one that `UV_PYTHON` names. */
const fromPypi = (folder: string, install: string): Promise<string> =>
  runUv(['tool', 'install', '--quiet', '--no-python-downloads', install], {
    UV_TOOL_DIR: folder,
    UV_TOOL_BIN_DIR: join(folder, 'bin'),
  })

async function fromNpm(folder: string, packages: readonly string[]): Promise<void> {
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true }))
  const args = ['install', '--no-audit', '--no-fund', '--loglevel=error', ...packages]
  const npm = spawn('npm', args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'], timeout: PATIENCE_MS })
  let complaint = ''
  npm.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()))
  const [code] = (await once(npm, 'close')) as [number | null]
  if (code !== 0) throw new Error(`npm could not install ${packages.join(' ')}: ${complaint.trim()}`)
}

/** The search path for an agent's command: what was installed with it, such as a newer Node, is found first. */
export const pathFor = (command: string): string => [dirname(command), process.env.PATH ?? ''].join(delimiter)

/** The version that the agent says it is: what its registry calls it may hold another. Of one that does not say, the registry's. */
export async function versionOf({ install }: Agent, command: string): Promise<string> {
  const env = { ...process.env, PATH: pathFor(command) }
  const asked = spawn(command, ['--version'], { stdio: ['ignore', 'pipe', 'ignore'], env })
  let said = ''
  asked.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()))
  await once(asked, 'close')
  const version = /\d+\.\d+\.\d+[^\s]*/
  return (version.exec(said)?.[0] ?? version.exec(install)?.[0] ?? said.trim()).replace(/\.$/, '')
}
