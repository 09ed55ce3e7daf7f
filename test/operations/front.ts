// nginx and Caddy as Debian has them, with the pages of examples/deploy/, in front of gateways of this machine.
import { execFileSync, spawn } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '../support/free-port.ts'

const deploy = fileURLToPath(new URL('../../examples/deploy/', import.meta.url))

export interface Front {
  url: string
  /** What it said while it ran. @throws Error where it had ended by itself */
  end(): Promise<string>
}

/** `room` is a folder for what it writes; `gateways` are hosts with ports. */
type Start = (room: string, gateways: readonly string[]) => Promise<Front>

function running(url: string, command: string, args: string[], env: Record<string, string> = {}): Front {
  const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
  const ended = new Promise((resolve) => child.once('exit', resolve))
  return {
    url,
    async end() {
      if (child.exitCode !== null) throw new Error(`${command} had ended: ${said}`)
      child.kill('SIGTERM')
      await ended
      return said
    },
  }
}

const nginx: Start = async (room, gateways) => {
  const port = await freePort()
  const page = await readFile(join(deploy, 'nginx.conf'), 'utf8')
  const here = page
    .replace(/ *server weir-1:3000(.*)\n *server weir-2:3000.*\n/, (_, how: string) =>
      gateways.map((one) => `    server ${one}${how}\n`).join(''),
    )
    .replace('listen 80;', `listen 127.0.0.1:${port};`)
    .replaceAll('/tmp/', `${room}/`)
  const file = join(room, 'nginx.conf')
  await writeFile(file, here)
  execFileSync('nginx', ['-t', '-q', '-c', file])
  return running(`http://127.0.0.1:${port}`, 'nginx', ['-c', file, '-g', 'daemon off;'])
}

const caddy: Start = async (room, gateways) => {
  const url = `http://127.0.0.1:${await freePort()}`
  const env = { WEIR_SITE: url, WEIR_GATEWAYS: gateways.join(' '), HOME: room }
  const page = ['--config', join(deploy, 'Caddyfile'), '--adapter', 'caddyfile']
  execFileSync('caddy', ['validate', ...page], { env: { ...process.env, ...env }, stdio: 'pipe' })
  return running(url, 'caddy', ['run', ...page], env)
}

export const fronts: Record<string, Start> = { nginx, caddy }

export const versionOf: Record<string, () => string> = {
  nginx: () => execFileSync('sh', ['-c', 'nginx -v 2>&1'], { encoding: 'utf8' }).trim(),
  caddy: () => `caddy ${execFileSync('caddy', ['version'], { encoding: 'utf8' }).trim()}`,
}
