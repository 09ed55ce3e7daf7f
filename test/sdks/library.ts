// One library: its packages in an environment of their own, and a process that plays its cases.
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Json } from '../support/json.ts'
import { CACHE } from '../support/uv.ts'
import { installProgram } from './programs.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** How long one case may take. Slow are the first import of a large library and retries. Unit: ms. */
const PATIENCE_MS = 150_000

/** The formats in which libraries ask. */
export type Format = 'chat' | 'responses' | 'anthropic' | 'gemini'

/** Where a case is played. */
export interface At {
  format: Format
  /** `http://127.0.0.1:PORT` */
  root: string
  key: string
  model: string
  embedding: string | undefined
}

/** What the library gave or threw, and the arguments with which its tool was called. */
export interface Seen {
  gave?: { text?: string; streamed?: string; value?: Json; usage?: [number, number] | null; vectors?: number[][] }
  error?: { class: string; message: string }
  calls: Json[]
}

export interface Library {
  name: string
  version: string
  formats: readonly Format[]
  cases: readonly string[]
  /** @throws Error when the process died, or took longer than its time */
  play(name: string, at: At): Promise<Seen>
  close(): void
}

/** No library asks elsewhere: what is not on this machine is behind a proxy that is not there. */
const environment = {
  PATH: process.env.PATH,
  HOME: CACHE,
  PYTHONUNBUFFERED: '1',
  PYTHONPATH: here('.'),
  HTTP_PROXY: 'http://127.0.0.1:9',
  HTTPS_PROXY: 'http://127.0.0.1:9',
  NO_PROXY: '127.0.0.1,localhost',
  DO_NOT_TRACK: '1',
  OTEL_SDK_DISABLED: 'true',
  ANONYMIZED_TELEMETRY: 'false',
  AGNO_TELEMETRY: 'false',
  CREWAI_DISABLE_TELEMETRY: 'true',
  CREWAI_TRACING_ENABLED: 'false',
  HAYSTACK_TELEMETRY_ENABLED: 'False',
  HF_HUB_OFFLINE: '1',
  LANGCHAIN_TRACING_V2: 'false',
  LITELLM_LOCAL_MODEL_COST_MAP: 'True',
  OPENAI_AGENTS_DISABLE_TRACING: '1',
}

/** A library's name: that of its file, without the ending. */
export const nameOf = (file: string): string => file.slice(0, file.lastIndexOf('.'))

/** Opens a library of the folder `libraries` by its file. */
export async function openLibrary(file: string): Promise<Library> {
  const name = nameOf(file)
  const { command, args, version } = await installProgram(here(`libraries/${file}`))
  const child = spawn(command, args, { env: environment, cwd: CACHE })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  let complaints = ''
  child.stderr.on('data', (chunk: Buffer) => (complaints = (complaints + chunk.toString()).slice(-20_000)))

  const next = async (): Promise<Json> => {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`no answer within ${PATIENCE_MS / 1000} s`)), PATIENCE_MS)
    })
    const { value, done } = await Promise.race([lines.next(), late]).finally(() => clearTimeout(timer))
    if (done) throw new Error(`the process of ${name} ended: ${complaints.slice(-2000)}`)
    return JSON.parse(value)
  }

  const { formats, cases } = await next()
  return {
    name,
    version,
    formats,
    cases,
    play(of, at) {
      child.stdin.write(`${JSON.stringify({ case: of, ...at })}\n`)
      return next() as Promise<Seen>
    },
    close: () => void child.kill(),
  }
}
