// The terminal face under test: a process made of strings, a stand-in server, and the built command.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { PassThrough } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { runCommandLine, type CommandHost } from '../../cli/main.ts'
import { countStarted } from './started-commands.ts'

/** A process for `runCommandLine`: no terminal, unless `tty`. */
export function fakeHost({
  env = {},
  tty = false,
  input = '',
  columns = 100,
}: { env?: Record<string, string>; tty?: boolean; input?: string; columns?: number } = {}) {
  const written = { stdout: '', stderr: '' }
  const stream = (name: keyof typeof written) =>
    Object.assign(new PassThrough(), {
      isTTY: tty,
      columns,
      write: (text: string | Uint8Array) => {
        written[name] += String(text)
        return true
      },
    })
  // A form reads keys one by one, as a terminal gives them.
  const keys = { setRawMode: () => stdin, ref: () => stdin, unref: () => stdin }
  const stdin: PassThrough = Object.assign(new PassThrough(), { isTTY: tty }, tty ? keys : {})
  stdin.end(input)
  const host = { env, stdin, stdout: stream('stdout'), stderr: stream('stderr') } as unknown as CommandHost
  return { host, written }
}

/** Runs one command line in this process. */
export async function runHere(args: string[], options: Parameters<typeof fakeHost>[0] = {}) {
  const { host, written } = fakeHost(options)
  return { code: await runCommandLine(args, host), ...written }
}

export interface SeenRequest {
  method: string
  url: string
  headers: http.IncomingHttpHeaders
  body: string
}

/** A server that remembers requests and answers with what it is told; on TCP, or on a socket path. */
export async function fakeServer(
  answer: (request: SeenRequest) => { status?: number; body: unknown },
  socketPath?: string,
) {
  const seen: SeenRequest[] = []
  const server = http.createServer(async (request, reply) => {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    const one = { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body }
    seen.push(one)
    const { status = 200, body: answered } = answer(one)
    reply.writeHead(status, { 'content-type': 'application/json' })
    reply.end(typeof answered === 'string' ? answered : JSON.stringify(answered))
  })
  if (socketPath === undefined) server.listen(0, '127.0.0.1')
  else server.listen(socketPath)
  await once(server, 'listening')
  const address = server.address() as AddressInfo | string
  return {
    seen,
    url: typeof address === 'string' ? '' : `http://127.0.0.1:${address.port}`,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

export const binary = fileURLToPath(new URL('../../bin/weir.js', import.meta.url))

export interface Ended {
  code: number | null
  stdout: string
  stderr: string
}

/** What every process needs: its programs, and the temporary folder of the run. */
const { PATH, TMPDIR } = process.env

/** Starts the built command with nothing but the given variables. */
export function startWeir(
  args: string[],
  { env = {}, cwd, program = binary }: { env?: Record<string, string>; cwd?: string; program?: string } = {},
) {
  countStarted()
  const child = spawn(process.execPath, [program, ...args], { env: { PATH, TMPDIR, ...env }, cwd })
  const written = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk: Buffer) => (written.stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (written.stderr += chunk.toString()))
  const ended = once(child, 'close').then(([code]): Ended => ({ code: code as number | null, ...written }))
  return { child, written, ended }
}

/** Runs the built command to its end. */
export async function weir(
  args: string[],
  options: { env?: Record<string, string>; input?: string; cwd?: string; program?: string } = {},
): Promise<Ended> {
  const { child, ended } = startWeir(args, options)
  child.stdin.end(options.input ?? '')
  return ended
}

/** The value of NODE_OPTIONS that has a process write each module it loads into a file, one address a line. */
export function recordingModules(file: string): string {
  const hook = `import { appendFileSync } from 'node:fs'
    export const load = (url, context, next) => (appendFileSync(${JSON.stringify(file)}, url + '\\n'), next(url, context))`
  const asModule = (code: string) => `data:text/javascript,${encodeURIComponent(code)}`
  return `--import=${asModule(`import { register } from 'node:module'; register(${JSON.stringify(asModule(hook))})`)}`
}

/** Waits until something holds, checking often. */
export async function until(holds: () => boolean, patienceMs = 120_000): Promise<void> {
  const deadline = Date.now() + patienceMs
  while (!holds()) {
    if (Date.now() > deadline) throw new Error('waited in vain')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
