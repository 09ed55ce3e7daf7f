// Codex as an editor runs it: one process, `codex app-server`, asked over its standard input and output.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Json } from '../support/json.ts'
import { pathFor } from './install.ts'

/** How long Codex may take for one turn, in ms. */
const PATIENCE_MS = 120_000

/** The end of a turn, as Codex reports it. */
export interface CodexTurn {
  text: string
  /** Why the turn failed. Undefined if it did not. */
  error?: string
  /** Errors and warnings that Codex showed meanwhile. */
  complaints: string[]
  /** Conversations that it summed up meanwhile. */
  compactions: number
  seconds: number
}

export interface CodexPlace {
  /** Of Weir, without a path. */
  url: string
  key: string
  model: string
  home: string
  work: string
  /** Above so many tokens Codex sums the conversation up. */
  compact_above: number
}

/** Only what somebody writes who points Codex to another address. */
const config = ({ url, model, compact_above }: CodexPlace) => `model = "${model}"
openai_base_url = "${url}/v1"
model_auto_compact_token_limit = ${compact_above}
check_for_update_on_startup = false
[analytics]
enabled = false
[otel]
exporter = "none"
`

export class CodexApp {
  private readonly child: ChildProcess
  private readonly answers = new Map<number, (answer: Json) => void>()
  private requests = 0
  private onNotice: (method: string, params: Json) => void = () => undefined
  private thread = ''
  private complaint = ''

  private constructor(command: string, { home, work }: CodexPlace) {
    this.child = spawn(command, ['app-server'], {
      cwd: work,
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { PATH: pathFor(command), HOME: home, CODEX_HOME: join(home, '.codex'), TERM: 'dumb' },
    })
    this.child.stderr!.on('data', (chunk: Buffer) => (this.complaint += chunk.toString()))
    createInterface({ input: this.child.stdout! }).on('line', (line) => this.take(JSON.parse(line) as Json))
  }

  /** Starts Codex in a new conversation, or in an earlier one. */
  static async start(command: string, place: CodexPlace, thread?: string): Promise<CodexApp> {
    const folder = join(place.home, '.codex')
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, 'config.toml'), config(place))
    // As `codex login --with-api-key` leaves it.
    await writeFile(join(folder, 'auth.json'), JSON.stringify({ auth_mode: 'apikey', OPENAI_API_KEY: place.key }))
    const app = new CodexApp(command, place)
    await app.request('initialize', {
      clientInfo: { name: 'weir-test', title: null, version: '1' },
      capabilities: null,
    })
    app.write({ method: 'initialized' })
    const allowed = { cwd: place.work, approvalPolicy: 'never', sandbox: 'danger-full-access' }
    const started =
      thread === undefined
        ? await app.request('thread/start', allowed)
        : await app.request('thread/resume', { threadId: thread, ...allowed })
    app.thread = started.thread.id
    return app
  }

  get threadId(): string {
    return this.thread
  }

  /** Asks something and waits until the turn is over. */
  turn(text: string): Promise<CodexTurn> {
    return this.untilTurnEnds('turn/start', {
      threadId: this.thread,
      input: [{ type: 'text', text, text_elements: [] }],
    })
  }

  /** Has the conversation summed up, as `/compact` does. */
  compact(): Promise<CodexTurn> {
    return this.untilTurnEnds('thread/compact/start', { threadId: this.thread })
  }

  async close(): Promise<void> {
    const closed = once(this.child, 'close')
    this.child.stdin!.end()
    const timer = setTimeout(() => this.child.kill('SIGKILL'), 10_000)
    await closed
    clearTimeout(timer)
  }

  private async untilTurnEnds(method: string, params: Json): Promise<CodexTurn> {
    const began = Date.now()
    const complaints: string[] = []
    let [text, compactions] = ['', 0]
    const turn = await new Promise<Json>((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error(`no end of the turn: ${this.complaint.slice(-500)}`)),
        PATIENCE_MS,
      )
      this.onNotice = (name, said) => {
        if (process.env.WEIR_AGENTS_SHOW) process.stderr.write(`${name} ${JSON.stringify(said).slice(0, 600)}\n`)
        if (name === 'error') complaints.push(`${said.error.message}${said.willRetry ? ' (tries again)' : ''}`)
        if (name === 'warning' || name === 'configWarning') complaints.push(said.message ?? said.summary)
        if (name === 'item/completed' && said.item.type === 'agentMessage') text = said.item.text
        if (name === 'item/completed' && said.item.type === 'contextCompaction') compactions++
        if (name !== 'turn/completed') return
        clearTimeout(timer)
        resolve(said.turn)
      }
      this.request(method, params).catch(reject)
    })
    const error = turn.status === 'completed' ? undefined : (turn.error?.message ?? turn.status)
    const seconds = (Date.now() - began) / 1000
    return { text, ...(error === undefined ? {} : { error }), complaints, compactions, seconds }
  }

  private request(method: string, params: Json): Promise<Json> {
    const id = this.requests++
    this.write({ id, method, params })
    return new Promise((resolve, reject) => {
      this.answers.set(id, (answer) =>
        answer.error ? reject(new Error(`${method}: ${answer.error.message}`)) : resolve(answer.result),
      )
    })
  }

  private write(message: Json): void {
    this.child.stdin!.write(`${JSON.stringify(message)}\n`)
  }

  private take(message: Json): void {
    if (message.method !== undefined) return this.onNotice(message.method, message.params)
    this.answers.get(message.id)?.(message)
    this.answers.delete(message.id)
  }
}
