// Plays the newest Codex over more than twenty turns of one conversation, as its user does: only by Weir's address,
// with tools, on a channel of OpenAI's, of Anthropic's and of Google's. Weir restarts between two turns, the key is
// revoked within a turn, and the conversation is summarized twice, by command and automatically.
//
//   npx tsx test/agents/codex-turns.ts [--channel gemini]
//
// After each turn every call of a model has one charged row with the vendor's own count, and the balance fell by their sum. All of
// it happens twice, over the WebSocket of Responses and over HTTP, and has to cost the same. It runs what `npm run build` has made.
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { LogEntry } from '../../core/calls/log-entry.ts'
import type { Asked, Call, Script } from '../vendors/script.ts'
import type { Vendor } from '../vendors/vendor.ts'
import { callOf, sum } from './agent.ts'
import { CodexApp, type CodexPlace, type CodexTurn } from './codex-app.ts'
import { codex } from './codex.ts'
import { installed, versionOf } from './install.ts'
import { kinds, type Kind } from './kinds.data.ts'
import { usageOf } from './play.ts'
import { openWorld, type UserToken } from './world.ts'

/** Types of log rows. */
const CHARGED = 2
const FAILED = 5

const TURNS = 24
const RESTART_BEFORE = 6
const REVOKE_IN = 11
const COMPACT_BEFORE = 15
/** Its file is so long that Codex sums the conversation up by itself. */
const LONG = 19
const LONG_BYTES = 60_000
const NEVER = 1_000_000
/** How many tokens the conversation may still grow by. */
const ROOM_TOKENS = 2000
/** A turn that is refused is over by then. Unit: seconds. */
const SOON = 20

type Transport = 'WebSocket' | 'HTTP'

interface PlayedTurns {
  kind: Kind
  transport: Transport
  faults: string[]
  turns: number
  compactions: number
  /** The price of each call of a model, in quota units. */
  charges: number[]
  /** What Codex showed when its key was refused. */
  refusals: string[]
  seconds: number
}

const numberOf = (turn: number): string => String(700_000_000 + turn * 7919)
const fileOf = (turn: number): string => `number-${String(turn).padStart(2, '0')}.txt`

/**
 * Reads the file that the user names last, and says what is in it, also where the result was summed up meanwhile. `onRead` is called
 * before each reading.
 */
function scriptFor(work: string, onRead: (turn: number) => void): Script {
  const known = new Map<number, string>()
  return (asked) => {
    const turn = Number(/.*number-(\d+)\.txt/s.exec(asked.said)?.[1])
    const isSummary = asked.tools.length === 0
    const found = /.*The number is (\d+)/s.exec(isSummary ? asked.said : asked.results.join('\n'))?.[1]
    if (found) known.set(turn, found)
    const number = known.get(turn)
    if (isSummary) return { text: `The user has files read. The last was ${fileOf(turn)}. The number is ${number}.` }
    if (asked.results.length > 0 || number !== undefined) return { text: `It is ${number ?? 'not to be found'}.` }
    onRead(turn)
    const call = readFile(asked, join(work, fileOf(turn)))
    return call ? { thought: 'I should read it.', calls: [call] } : { text: 'There is no tool that reads files.' }
  }
}

/** Newer models write a program that calls the tools. */
function readFile(asked: Asked, file: string): Call | undefined {
  const program = `const { output } = await tools.exec_command({ cmd: ${JSON.stringify(`cat ${file}`)} }); text(output)`
  const exec = callOf(asked, 'exec', {})
  return codex.read(asked, file) ?? (exec && { ...exec, input: program })
}

/** Is the user's only socket taken? */
const isSocketTaken = ({ url, key }: Pick<CodexPlace, 'url' | 'key'>): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const upgrade = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' }
    const headers = { ...upgrade, 'sec-websocket-key': randomBytes(16).toString('base64') }
    const asked = request(`${url}/v1/responses`, { headers: { ...headers, authorization: `Bearer ${key}` } })
    asked.on('error', reject)
    asked.on('response', (answer) => resolve(answer.resume().statusCode === 426))
    asked.on('upgrade', (_, socket) => {
      socket.destroy()
      resolve(false)
    })
    asked.end()
  })

class Books {
  readonly charges: number[] = []
  private readonly token: UserToken
  private readonly vendor: Vendor
  private rowsSeen = 0
  private callsSeen = 0
  private paid = 0

  constructor(token: UserToken, vendor: Vendor) {
    this.token = token
    this.vendor = vendor
  }

  /** What is wrong with the rows and charges since the last check. */
  async check(refusedRows = 0): Promise<string[]> {
    const all = await this.token.rows()
    const rows = all.slice(this.rowsSeen).filter(({ type }) => type === CHARGED || type === FAILED)
    const heard = this.vendor.heard.slice(this.callsSeen)
    const paid = await this.token.paid()
    const charged = rows.filter(({ type }) => type === CHARGED)
    const counted = heard.flatMap(({ usage }) => (usage ? [usage] : []))
    const faults = heard.flatMap(({ refusal }) => (refusal ? [`the vendor refused: ${refusal.message}`] : []))
    const others = rows.filter(({ type }) => type === FAILED)
    if (others.length > refusedRows) faults.push(...others.map(({ content }) => `a row of an error: ${content}`))
    if (charged.length !== counted.length) faults.push(`${charged.length} charged rows for ${counted.length} calls`)
    for (const [at, row] of charged.entries()) {
      const [ours, theirs] = [tokensOf(row), counted[at]]
      const same = theirs && ours.prompt === theirs.prompt && ours.completion === theirs.completion
      if (!same || ours.cache_read !== theirs.cache_read)
        faults.push(`a row counts ${JSON.stringify(ours)}, the vendor ${JSON.stringify(theirs)}`)
      if (row.quota <= 0) faults.push('a row charges nothing')
    }
    const sumCharged = sum(charged.map(({ quota }) => quota))
    if (paid - this.paid !== sumCharged) faults.push(`the rows charge ${sumCharged}, ${paid - this.paid} were paid`)
    this.charges.push(...charged.map(({ quota }) => quota))
    ;[this.rowsSeen, this.callsSeen, this.paid] = [all.length, this.vendor.heard.length, paid]
    return faults
  }
}

const tokensOf = (row: LogEntry) => usageOf(row)

async function playTurns(kind: Kind, transport: Transport, command: string): Promise<PlayedTurns> {
  const started = Date.now()
  const room = await mkdtemp(join(tmpdir(), 'weir-codex-'))
  const world = await openWorld([kind])
  const faults: string[] = []
  const refusals: string[] = []
  let [turns, compactions] = [0, 0]
  try {
    if (transport === 'HTTP') await world.set('responses.sockets_per_user', '0')
    const vendor = world.vendors[kind.name] as Vendor
    const token = await world.addToken()
    const books = new Books(token, vendor)
    const folders = { home: join(room, 'home'), work: join(room, 'work') }
    await Promise.all(Object.values(folders).map((folder) => mkdir(folder)))
    const place: CodexPlace = { url: world.url, key: token.key, model: kind.model, ...folders, compact_above: NEVER }
    for (let turn = 1; turn <= TURNS; turn++) {
      const long = turn === LONG ? 'x'.repeat(LONG_BYTES) : ''
      await writeFile(join(place.work, fileOf(turn)), `The number is ${numberOf(turn)}.\n${long}`)
    }
    let revoked: Promise<void> | undefined
    vendor.follow(scriptFor(place.work, (turn) => void (turn === REVOKE_IN && (revoked ??= token.revoke()))))
    let app = await CodexApp.start(command, place)

    const note = (turn: number, found: readonly string[]) => faults.push(...found.map((one) => `turn ${turn}: ${one}`))
    const ask = (turn: number) => app.turn(`Read ${fileOf(turn)} and tell me the number.`)
    const count = (ended: CodexTurn) => (compactions += ended.compactions)
    async function succeed(turn: number, ended: CodexTurn, expected: string): Promise<void> {
      turns++
      count(ended)
      const complaints = ended.complaints.filter((one) => !one.startsWith('Model metadata for'))
      note(
        turn,
        complaints.map((one) => `Codex shows: ${one}`),
      )
      if (ended.error !== undefined) note(turn, [`it failed: ${ended.error}`])
      else if (!ended.text.includes(expected)) note(turn, [`its words are ${JSON.stringify(ended.text)}`])
      note(turn, await books.check())
    }
    /** Codex ends the turn soon, and says why. */
    async function beRefused(turn: number, ended: CodexTurn, rows: number): Promise<void> {
      refusals.push(`${ended.error ?? 'none'} (${ended.complaints.length} lines, ${ended.seconds} s)`)
      if (ended.error === undefined) note(turn, ['the revoked key was taken'])
      if (ended.seconds > SOON) note(turn, [`it tried for ${ended.seconds} s`])
      note(turn, await books.check(rows))
    }

    for (let turn = 1; turn <= TURNS; turn++) {
      if (turn === RESTART_BEFORE) await world.restart()
      if (turn === COMPACT_BEFORE) {
        await succeed(turn, await app.compact(), '')
        if (compactions !== 1) note(turn, ['the command summed nothing up'])
      }
      const ended = await ask(turn)
      if (turn === REVOKE_IN) {
        await revoked
        const calls = vendor.heard.length
        await beRefused(turn, ended, 1)
        await beRefused(turn, await ask(turn), 1)
        if (vendor.heard.length !== calls) note(turn, ['a call was made with the revoked key'])
        await app.close()
        place.key = await token.addKey()
        place.compact_above = (vendor.heard.at(-1)?.usage?.prompt ?? 0) + ROOM_TOKENS
        app = await CodexApp.start(command, place, app.threadId)
        await succeed(turn, await ask(turn), numberOf(turn))
      } else await succeed(turn, ended, numberOf(turn))
    }
    if (transport === 'WebSocket') {
      await world.set('responses.sockets_per_user', '1')
      if (!(await isSocketTaken(place))) note(TURNS, ['Codex has no socket open'])
    }
    if (compactions < 2) note(TURNS, [`${compactions} summaries`])
    await app.close()
    const seconds = Math.round((Date.now() - started) / 1000)
    return { kind, transport, faults, turns, compactions, charges: books.charges, refusals, seconds }
  } finally {
    await world.close()
    await rm(room, { recursive: true, force: true })
  }
}

const { values } = parseArgs({ options: { channel: { type: 'string' } } })
const print = (line: string) => process.stdout.write(`${line}\n`)
const command = await installed(codex)
print(`Codex ${await versionOf(codex, command)}`)
for (const kind of kinds.filter(({ name, agents }) => (values.channel ? values.channel === name : !agents))) {
  const [first, second] = [await playTurns(kind, 'WebSocket', command), await playTurns(kind, 'HTTP', command)]
  if (JSON.stringify(first.charges) !== JSON.stringify(second.charges))
    second.faults.push(`it costs ${second.charges.join()} and over a WebSocket ${first.charges.join()}`)
  for (const { transport, faults, turns, compactions, charges, refusals, seconds } of [first, second]) {
    const totals = `${turns} turns, ${compactions} summaries, ${charges.length} rows, ${sum(charges)} charged, ${seconds} s`
    print(`${faults.length === 0 ? 'ok ' : 'NOT'} ${kind.name} over ${transport}: ${totals}`)
    for (const refusal of refusals) print(`      refused: ${refusal}`)
    for (const fault of faults) print(`      ${fault}`)
    if (faults.length > 0) process.exitCode = 1
  }
}
