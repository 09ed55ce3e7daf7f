// A token that exists while one program runs: created, its calls summed up, deleted.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { constants, homedir } from 'node:os'
import path from 'node:path'
import { parseCallDetail } from '../../core/calls/detail.ts'
import { LOG_ROW_TYPE, type LogEntry } from '../../core/calls/log-entry.ts'
import type { WeirClient } from '../../core/contracts.ts'
import { fillTemplate } from '../../core/errors.ts'
import type { ClientConfiguration } from '../../core/tokens/clients.ts'
import { toFullKey, MAX_TOKEN_NAME, type Token } from '../../core/tokens/token.ts'
import { EXIT_CODE, ProgramNotStarted } from '../failure.ts'
import { type MoneyView, formatQuotaAmount } from '../output/format.ts'
import { words } from '../texts.ts'
import { count, list, money, ms, text, time, type OutputView } from '../output/view.ts'

/** The totals of a program's calls. */
export interface RunTotals {
  token: string
  /** Quota units. */
  quota: number
  /** undefined if the log does not have all calls: it is disabled, or belongs to another user. */
  calls: number | undefined
  prompt_tokens: number | undefined
  completion_tokens: number | undefined
  models: string[]
  /** Run time in ms. */
  ms: number
  expires: number
}

export const spentAmountView: OutputView<RunTotals> = {
  token: text(words('TOKEN'), 1, ({ token }) => token),
  quota: money(words('COST', { context: 'charge' }), 1, ({ quota }) => quota),
  calls: count(words('CALLS'), 1, ({ calls }) => calls),
  prompt_tokens: count(words('IN'), 1, ({ prompt_tokens }) => prompt_tokens),
  completion_tokens: count(words('OUT'), 1, ({ completion_tokens }) => completion_tokens),
  models: list(words('MODELS'), 2, ({ models }) => models),
  took: ms(words('TOOK'), 2, (spent) => spent.ms),
  expires: time(words('EXPIRES'), 0, ({ expires }) => expires),
}

const COST_OF_ONE = words('It cost {cost}: {calls} call, {inside} tokens in, {out} out.')
const COST_OF_SEVERAL = words('It cost {cost}: {calls} calls, {inside} tokens in, {out} out.')

/** Formats the cost as a sentence. */
export function formatSpentAmount({ quota, calls, prompt_tokens, completion_tokens }: RunTotals, shown: MoneyView) {
  const cost = formatQuotaAmount(quota, { ...shown, display_in_currency: true })
  if (calls === undefined) return fillTemplate(words('It cost {cost}.'), { cost })
  const [inside, out] = [prompt_tokens ?? 0, completion_tokens ?? 0].map((each) => each.toLocaleString('en-US'))
  return fillTemplate(calls === 1 ? COST_OF_ONE : COST_OF_SEVERAL, {
    cost,
    calls,
    inside: inside ?? '',
    out: out ?? '',
  })
}

export interface RunTokenForm {
  /** Name of the purpose. */
  label: string
  /** Quota units; undefined for no limit. */
  budget?: number | undefined
  /** Epoch seconds. */
  expires: number
  /** The paying team; 0 for the caller's account. */
  team_id: number
}

const SETTLE_TIMEOUT_MS = 3000
const POLL_MS = 100
const PAGE_SIZE = 100

/** Creates the token; `spent` sums up its calls, `revoke` deletes it. */
export async function makeRunToken(weir: WeirClient, { label, budget, expires, team_id }: RunTokenForm) {
  // The log is filtered by the token's name, so the name must be unique.
  const mark = randomBytes(4).toString('hex')
  const name = `${label.slice(0, MAX_TOKEN_NAME - mark.length - 1)} ${mark}`
  const started = Date.now()
  const made = await weir.tokens.create({
    name,
    unlimited_quota: budget === undefined,
    remain_quota: budget ?? 0,
    expired_time: expires,
    team_id,
  })
  const { id } = made
  return {
    id,
    name,
    expires,
    key: toFullKey(made.key),
    spent: () => sumSpent(weir, made, started),
    revoke: () => weir.tokens.delete({ id }),
  }
}
export type RunToken = Awaited<ReturnType<typeof makeRunToken>>

/** Waits until the rows add up to the charge, because a cancelled call is charged and logged a moment later. */
async function sumSpent(weir: WeirClient, { id, name, expired_time }: Token, started: number): Promise<RunTotals> {
  const deadline = Date.now() + SETTLE_TIMEOUT_MS
  for (;;) {
    const { used_quota } = await weir.tokens.get({ id })
    const rows = await readRows(weir, { id, name })
    const charged = rows.reduce((total, { quota }) => total + quota, 0)
    const whole = charged === used_quota
    if (whole || Date.now() > deadline) {
      const sum = (of: (row: LogEntry) => number) =>
        whole ? rows.reduce((total, row) => total + of(row), 0) : undefined
      return {
        token: name,
        quota: used_quota,
        calls: whole ? rows.length : undefined,
        prompt_tokens: sum(sumPrompt),
        completion_tokens: sum((row) => row.completion_tokens),
        models: [...new Set(rows.map(({ model_name }) => model_name))],
        ms: Date.now() - started,
        expires: expired_time,
      }
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}

/** Adds the cache tokens, which rows of Claude models count separately from the prompt. */
function sumPrompt({ prompt_tokens, other }: LogEntry): number {
  const { claude, cache_tokens = 0, cache_creation_tokens = 0 } = parseCallDetail(other)
  return prompt_tokens + (claude ? cache_tokens + cache_creation_tokens : 0)
}

async function readRows(weir: WeirClient, { id, name }: { id: number; name: string }) {
  const filter = { token_name: name, type: String(LOG_ROW_TYPE.consumption), page_size: PAGE_SIZE }
  const rows: LogEntry[] = []
  for (let p = 1; ; p += 1) {
    const { items } = await weir.logs.listSelf({ ...filter, p })
    rows.push(...items.filter(({ token_id }) => token_id === id))
    if (items.length < PAGE_SIZE) return rows
  }
}

// Execution of another program in place of this one: its terminal, its signals, its exit code.

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const
/** A terminal sends these itself to all its processes. */
const BY_TERMINAL = new Set<NodeJS.Signals>(['SIGINT', 'SIGQUIT'])

/** From now on this process survives signals and forwards them to the registered receiver, until `release`. */
export function forwardSignals() {
  const seen: { first?: NodeJS.Signals; pass?(signal: NodeJS.Signals): void } = {}
  const take = (signal: NodeJS.Signals) => {
    seen.first ??= signal
    seen.pass?.(signal)
  }
  for (const signal of SIGNALS) process.on(signal, take)
  return {
    /** Returns the first signal received. */
    first: () => seen.first,
    to(pass: (signal: NodeJS.Signals) => void) {
      seen.pass = pass
    },
    release() {
      for (const signal of SIGNALS) process.off(signal, take)
    },
  }
}
export type ForwardedSignals = ReturnType<typeof forwardSignals>

export interface ChildOptions {
  env: Record<string, string | undefined>
  /** True if it shares a terminal with this process. */
  terminal: boolean
  signals: ForwardedSignals
}

/** Returns the exit code that a shell reports for a program ended by a signal. */
export const getSignalExitCode = (signal: NodeJS.Signals): number => 128 + constants.signals[signal]

/** Runs the program and resolves with its exit code. @throws ProgramNotStarted */
export function runChild(
  [command = '', ...args]: readonly string[],
  { env, terminal, signals }: ChildOptions,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { env, stdio: 'inherit' })
    signals.to((signal) => {
      if (!terminal || !BY_TERMINAL.has(signal)) child.kill(signal)
    })
    child.once('error', (error) => reject(toStartError(command, error)))
    child.once('close', (code, signal) => resolve(signal ? getSignalExitCode(signal) : (code ?? 1)))
  })
}

function toStartError(command: string, error: NodeJS.ErrnoException): Error {
  if (error.code === 'ENOENT')
    return new ProgramNotStarted(fillTemplate(words('Program "{command}" not found.'), { command }), EXIT_CODE.notFound)
  if (error.code === 'EACCES' || error.code === 'ENOEXEC')
    return new ProgramNotStarted(
      fillTemplate(words('"{command}" is no program that may be run.'), { command }),
      EXIT_CODE.notExecutable,
    )
  return error
}

// A temporary home folder for a client whose user settings point to another server: all settings of the user, except
// that one.

type SettingsFile = Record<string, unknown>

/** Returns the variable that names the home; empty if the user's own settings suffice. `room` is an empty folder. */
export async function findLentHome(
  { setting }: ClientConfiguration,
  env: Record<string, string | undefined>,
  room: string,
): Promise<Record<string, string>> {
  if (!setting) return {}
  const userFolder = path.join(env[setting.variable] ?? env.HOME ?? homedir(), setting.folder)
  const text = await readFile(path.join(userFolder, setting.file), 'utf8').catch(() => '{}')
  const changed = withValue(parseSettings(text), setting.path, setting.value)
  if (!changed) return {}
  const lent = path.join(room, setting.folder)
  await mkdir(lent)
  for (const name of await readdir(userFolder).catch(() => []))
    if (name !== setting.file) await symlink(path.join(userFolder, name), path.join(lent, name))
  await writeFile(path.join(lent, setting.file), JSON.stringify(changed, null, 2), { mode: 0o600 })
  return { [setting.variable]: room }
}

/** Returns the settings with the value; undefined if they already have it. */
function withValue(
  settings: SettingsFile,
  [name = '', ...rest]: readonly string[],
  value: string,
): SettingsFile | undefined {
  const within = settings[name]
  if (rest.length === 0) return within === value ? undefined : { ...settings, [name]: value }
  const inner = withValue(typeof within === 'object' && within !== null ? (within as SettingsFile) : {}, rest, value)
  return inner && { ...settings, [name]: inner }
}

function parseSettings(text: string): SettingsFile {
  try {
    return JSON.parse(text) as SettingsFile
  } catch {
    return {}
  }
}
