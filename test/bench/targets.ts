// The measured targets: the bare connection, the pass-through, Weir, and other gateways.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { GATEWAY_CORE, isInstalled, listening, start, temporaryFolder, type Child } from './processes.ts'
import type { World } from './world.ts'
import { serve, type Installation } from './weir.ts'
import type { Address } from './world.ts'
import { freePort } from '../support/free-port.ts'

export interface Running {
  address: Address
  /** Absent for the direct line, which costs no gateway anything. */
  child?: Child
  /** Further gateways, which take an equal part of the load each. */
  beside?: { address: Address; child: Child }[]
}

export interface Target {
  name: string
  /** Starts it afresh. */
  open(): Promise<Running>
}

export const DIRECT = 'direct'
export const PASS_THROUGH = 'pass-through'
export const WEIR = 'Weir'
export const WEIR_POSTGRES = 'Weir, PostgreSQL'
export const WEIR_BEFORE = 'Weir before'
export const WEIR_POSTGRES_BEFORE = 'Weir before, PostgreSQL'
export const WEIR_ONE_WORKER = 'Weir, 1 worker'
export const workers = (count: string): string => `Weir, ${count} workers`
export const manyAccounts = (count: string): string => `${workers(count)}, 32 accounts`
export const WEIR_TWICE = 'Weir twice'
export const WEIR_FOUR_TIMES = 'Weir four times'
export const PORTKEY = 'Portkey'
export const NGINX = 'nginx'
export const FLOOR = 'the promises alone'

/** The load talks to the provider itself. */
export const direct = ({ provider }: World): Target => ({
  name: DIRECT,
  open: async () => ({ address: { port: provider.port, key: 'none' } }),
})

export const weir = (name: string, installation: Installation, cores = GATEWAY_CORE, more: string[] = []): Target => ({
  name,
  async open() {
    const child = await serve(installation, cores, { more })
    return { address: child.address, child }
  },
})

/** Gateways that share nothing but the machine: what they cost is the machine's doing, not that of workers. */
export const weirApart = (name: string, installations: readonly Installation[], cores: string): Target => ({
  name,
  async open() {
    const children = await Promise.all(installations.map((installation) => serve(installation, cores)))
    const [first, ...beside] = children.map((child) => ({ address: child.address, child }))
    if (!first) throw new Error(`${name} has no installation`)
    return { ...first, beside }
  },
})

/** Starts a program that listens on the port it is given. */
function program(
  name: string,
  command: (port: number) => Promise<string[]> | string[],
  { headers, cwd }: { headers?: Record<string, string>; cwd?: string } = {},
): Target {
  return {
    name,
    async open() {
      const port = await freePort()
      const child = start(GATEWAY_CORE, await command(port), cwd ? { cwd } : {})
      await listening(port, child)
      return { address: { port, key: 'none', ...(headers ? { headers } : {}) }, child }
    },
  }
}

export const passThrough = ({ provider }: World): Target =>
  program(PASS_THROUGH, (port) => [
    ...[process.execPath, '--import', 'tsx', fileURLToPath(new URL('pass-through.ts', import.meta.url))],
    ...[String(port), provider.url],
  ])

/** On the folder of an installation that nobody serves. */
export const floor = ({ provider }: World, { data }: Installation): Target =>
  program(FLOOR, (port) => [
    ...[process.execPath, '--import', 'tsx', fileURLToPath(new URL('floor.ts', import.meta.url))],
    ...[String(port), provider.url, data],
  ])

/** Installs the peer from its registry into a folder that is gone afterwards. */
export async function portkey({ provider }: World): Promise<Target> {
  const folder = await temporaryFolder('portkey')
  process.stderr.write('Installing @portkey-ai/gateway…\n')
  await writeFile(join(folder, 'package.json'), '{"private":true}')
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error']
  execFileSync('npm', ['install', ...quiet, '@portkey-ai/gateway'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout: 300_000,
  })
  const server = join(folder, 'node_modules', '@portkey-ai', 'gateway', 'build', 'start-server.js')
  if (!existsSync(server)) throw new Error('@portkey-ai/gateway has no build/start-server.js any more')
  const headers = { 'x-portkey-provider': 'openai', 'x-portkey-custom-host': `${provider.url}/v1` }
  return program(PORTKEY, (port) => [process.execPath, server, `--port=${port}`, '--headless'], {
    headers,
    cwd: folder,
  })
}

/** nginx as a reverse proxy with one worker; undefined where it is not installed. */
export async function nginx({ provider }: World): Promise<Target | undefined> {
  if (!isInstalled('nginx')) return undefined
  const folder = await temporaryFolder('nginx')
  await mkdir(join(folder, 'logs'))
  return program(NGINX, async (port) => {
    const file = join(folder, 'nginx.conf')
    await writeFile(file, nginxConfig(folder, port, provider.port))
    return ['nginx', '-p', folder, '-e', join(folder, 'logs', 'error.log'), '-c', file]
  })
}

const nginxConfig = (folder: string, port: number, provider: number) => `
daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
error_log ${folder}/logs/error.log;
events { worker_connections 16384; }
http {
  access_log off;
  client_max_body_size 32m;
  keepalive_requests 1000000000;
  upstream provider { server 127.0.0.1:${provider}; keepalive 256; keepalive_requests 1000000000; }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://provider;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_buffering off;
      proxy_read_timeout 600s;
    }
  }
}
`
