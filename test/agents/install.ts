// Installs an agent from npm into a folder of its own outside the repository; what is there is used again.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, mkdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Agent } from './agent.ts'

const FOLDER = process.env.WEIR_AGENTS ?? join(tmpdir(), 'weir-agents')
/** How long npm may take, in ms. */
const PATIENCE_MS = 600_000

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

/** The path of the agent's command. @throws Error where npm does not have it, or is out of reach */
export async function installed({ install, command }: Agent): Promise<string> {
  const folder = join(FOLDER, install.replaceAll('/', '+'))
  const path = join(folder, 'node_modules', '.bin', command)
  if (await exists(path)) return path
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true }))
  const args = ['install', '--no-audit', '--no-fund', '--loglevel=error', install]
  const npm = spawn('npm', args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'], timeout: PATIENCE_MS })
  let complaint = ''
  npm.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()))
  const [code] = (await once(npm, 'close')) as [number | null]
  if (code !== 0 || !(await exists(path))) throw new Error(`npm could not install ${install}: ${complaint.trim()}`)
  return path
}

/** The version that the agent says it is: what npm calls it may hold another. */
export async function versionOf(command: string): Promise<string> {
  const asked = spawn(command, ['--version'], { stdio: ['ignore', 'pipe', 'ignore'] })
  let said = ''
  asked.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()))
  await once(asked, 'close')
  return /\d+\.\d+\.\d+\S*/.exec(said)?.[0] ?? said.trim()
}
