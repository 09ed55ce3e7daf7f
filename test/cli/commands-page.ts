// The pages cli/COMMANDS.md and cli/COMMANDS.zh.md, and the pictures of every command: help, table, JSON and CSV as a real
// gateway with the same data gives them. `npx tsx test/cli/commands-page.ts` writes them.
import { mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runCommandLine } from '../../cli/main.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { fakeHost } from '../support/terminal.ts'
import { newLog, newTask } from '../storage/samples.ts'
import type { Json } from '../support/json.ts'
import { leaves, looks } from './commands.data.ts'
import { gatewayChanges } from './gateway-commands.ts'
import { peopleChanges } from './people-commands.ts'
import type { Changes } from './team-commands.ts'
import { taskChanges } from './task-commands.ts'
import { masked, varying } from './varying-commands.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const NOW = Date.UTC(2026, 0, 15, 12)
const WIDTHS = [60, 80, 120]
const LINES = 12

type Language = 'en' | 'zh'

/** A call that failed at one channel and was answered by another. */
const EXAMPLE = 'request-1'
const TOLD = {
  group_ratio: 1,
  frt: 640,
  admin_info: {
    use_channel: ['2', '1'],
    attempts: [
      {
        channel: 2,
        model: 'sandbox-small',
        at: 3,
        ms: 210,
        result: 'failed',
        status: 429,
        why: 'too many requests',
        next: 'channel',
      },
      { channel: 1, model: 'sandbox-small', at: 220, ms: 1780, first_ms: 420, result: 'answered' },
    ],
  },
}

/** What a command prints. */
async function spoken(args: string[], { columns = 80, language = 'en' as Language, data = '' } = {}): Promise<string> {
  const env = { WEIR_DATA: data, CI: '1', NO_COLOR: '1', WEIR_LANGUAGE: language, WEIR_CONFIG_DIR: data }
  const { host, written } = fakeHost({ env, tty: true, columns })
  await runCommandLine(args, host)
  return written.stdout + written.stderr
}
const said = async (...given: Parameters<typeof spoken>) => steady(await spoken(...given))

/** Without what is made anew each time, in as many characters. */
const steady = (text: string): string =>
  text
    .replace(/(?<=BEGIN PUBLIC KEY-----\\n)[^\\]+/g, '…')
    .replace(/sk-\w{48}/g, `sk-${'x'.repeat(48)}`)
    .replace(/(sk-)?\w{3}\*{3}\w{3}/g, '$1xxx***xxx')
    .replace(/\b\w{4}(?=\*{3})/g, 'xxxx')
    .replace(/\b(?=\w*\d)(?=\w*[A-Z])(?=\w*[a-z])\w{16}\b/g, (id) => 'x'.repeat(id.length))
    .replace(/\b(?=\w*[A-Z])(?=\w*[a-z])(\w{32}|\w{40})\b/g, (id) => 'x'.repeat(id.length))
    .replace(/"request_id": "\w{16}"/g, `"request_id": "${'x'.repeat(16)}"`)
    .replace(/(?<=,127\.0\.0\.1,)\w{16}$/gm, 'x'.repeat(16))
    .replace(/\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{8,}\b/g, (id) => '0'.repeat(id.length))
    .replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:3000')
    // Under a clock that stands the log is looked at once, before or behind the first rows.
    .replace(/(?<="settled": )\d+/g, '0')
    .replace(/(?<=^sqlite:logs\.db,\d+,)\d+/gm, '0')
    .replace(/"(signature|key_id|public_key|fingerprint|hash|chain_hash|secret)": "[^"]*"/g, '"$1": "…"')
    .replace(new RegExp(`${tmpdir()}/weir-server-\\w+`, 'g'), '/var/lib/weir')
    .replace(/[ \t]+$/gm, '')

const cut = (text: string, lines = LINES): string => {
  const all = text.replace(/\n+$/, '').split('\n')
  return all.length <= lines ? all.join('\n') : [...all.slice(0, lines), '…'].join('\n')
}

/** Of a list two, and of each text its beginning. */
function shortJson(text: string): string {
  const short = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.length > 2 ? [short(value[0]), '…'] : value.map(short)
    if (typeof value === 'string' && value.length > 60) return `${value.slice(0, 57)}…`
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, short(one)]))
  }
  try {
    return JSON.stringify(short(JSON.parse(text)), null, 2)
  } catch {
    return cut(text)
  }
}

async function fill({ gateway, config }: TestServer): Promise<void> {
  const here = async (args: string[]) => {
    const told = await said(args, { data: config.data })
    if (told.includes('weir: ')) throw new Error(told)
  }
  await here(['init', '--yes', '--json', '--password', 'a root password'])
  await here(['users', 'create', 'ada', '--password', 'a long password', '--quota', '$5'])
  await here(['teams', 'add', 'crew'])
  await here(['teams', 'member', 'crew', 'grace'])
  await here(['tokens', 'add', '--name', 'ci', '--budget-month', '$20'])
  await here(['channels', 'add', '--type', 'sandbox', '--name', 'spare', '--models', 'unpriced', '--tag', 'lab'])
  await here(['redemptions', 'create', '--name', 'spring', '--quota', '$5'])
  await here(['alerts', 'add', '--name', 'Certificate', '--kind', 'certificate', '--threshold', '14'])
  await here(['prices', 'set', 'sandbox-small', '--input', '2.5', '--output', '10'])
  await here(['access-tokens', 'add', '--name', 'reports', '--scope', 'read'])
  const { sessions, tasks, topups, logs } = gateway.ports.storage
  await tasks.add(newTask({ task_id: 'no-such-task', channel_id: 1 }))
  const at = NOW / 1000
  const times = { created_time: at - 90_000, used_time: at - 60, proven_time: at - 90_000, expires_time: at + 90_000 }
  await sessions.insert({ id_hash: 'h', user_id: 1, ip: '192.0.2.7', user_agent: 'curl', ...times })
  const order = { user_id: 1, trade_no: 'o1', provider: 'epay', method: 'wxpay', amount: 1, money: 730 }
  await topups.insert({ ...order, currency: 'CNY', quota: 500_000, create_time: at - 4000 })
  const row = { user_id: 1, username: 'root', token_name: 'first token', channel: 1, model_name: 'sandbox-small' }
  await logs.insert([
    newLog({ ...row, created_at: at - 7200, quota: 1250, request_id: EXAMPLE, other: JSON.stringify(TOLD) }),
    newLog({
      ...row,
      created_at: at - 3600,
      quota: 0,
      type: 5,
      content: 'the provider timed out',
      request_id: 'second',
    }),
  ])
  await gateway.client.usage.rebuild({})
  while ((await gateway.client.usage.rebuildProgress()).running) await new Promise((done) => setTimeout(done, 5))
}

const PAGES: Record<Language, { file: string; head: string }> = {
  en: {
    file: 'cli/COMMANDS.md',
    head: '# Every command\n\nHelp, table and JSON of each at 80 columns, on a Weir with a little in it; long ones are cut. `weir docs commands` has all\nfields and options. This page is made by `npx tsx test/cli/commands-page.ts`.',
  },
  zh: {
    file: 'cli/COMMANDS.zh.md',
    head: '# 全部命令\n\n每个命令在 80 列下的帮助、表格与 JSON，取自一个有少量数据的 Weir；过长的已截断。全部字段与选项见 `weir docs commands`。\n本页由 `npx tsx test/cli/commands-page.ts` 生成。',
  },
}
/** Words as a shell takes them. */
const typed = (args: string[]) => args.map((word) => (/[\s$]/.test(word) ? `'${word}'` : word)).join(' ')

/** Commands that change something, with what they are given. */
function changesOf(dataOf: (words: string[]) => Promise<Json>, { gateway }: TestServer): Changes {
  const tasks = taskChanges(() => gateway.ports.storage)
  return { ...gatewayChanges(dataOf), ...peopleChanges(dataOf, () => gateway), ...tasks }
}

const fenced = (text: string) => '```text\n' + text + '\n```'

/** What of the pages and pictures is made. */
export interface Part {
  /** English comes first: what is changed in Chinese changes what comes later. */
  languages: readonly ['en', ...Language[]]
  widths: readonly number[]
}
export const WHOLE: Part = { languages: ['en', 'zh'], widths: WIDTHS }

/** The sections of a picture's file: what one command printed at one width, below its head line. */
export const sectionsOf = (picture: string): string[] => picture.split(/^(?==== weir )/m)

/** The width that a section of a picture was made at; undefined for what has none. */
export const columnsOf = (section: string): number | undefined => {
  const [, columns] = /^=== weir .* \((\d+)\)$/m.exec(section) ?? []
  return columns === undefined ? undefined : Number(columns)
}

/** Texts by their files. */
export async function everyPage(part: Part = WHOLE): Promise<Record<string, string>> {
  const [realNow, zone] = [Date.now, process.env.TZ]
  Date.now = () => NOW
  process.env.TZ = 'UTC'
  const server = await startTestServer()
  try {
    await fill(server)
    return await pagesOf(server, part)
  } finally {
    await server.close()
    Date.now = realNow
    if (zone === undefined) delete process.env.TZ
    else process.env.TZ = zone
  }
}

async function pagesOf(server: TestServer, { languages, widths }: Part): Promise<Record<string, string>> {
  const { data } = server.config
  const dataOf = async (words: string[]) => JSON.parse(await spoken([...words, '--json'], { data })) as Json
  const later = varying(data, dataOf)
  const files: Record<string, string> = {}
  const sections = new Map(leaves.map(([name]) => [name, { en: [`## weir ${name}`], zh: [`## weir ${name}`] }]))
  const add = (name: string, language: Language, line: string[], text: string) =>
    sections.get(name)?.[language].push(fenced(`$ weir ${typed(line)}\n${text}`))

  // Nothing changes yet: the page and the picture have the same text.
  const known = new Map<string, string>()
  const seen = async (line: string[], { columns = 80, language = 'en' as Language } = {}) => {
    const key = JSON.stringify([line, columns, language])
    const text = known.get(key) ?? (await said(line, { columns, language, data }))
    known.set(key, text)
    return text
  }
  for (const [name] of leaves) {
    const path = name.split(' ')
    const args = name in later ? undefined : looks[name]?.map((arg) => (arg === 'no-such-request' ? EXAMPLE : arg))
    const line = [...path, ...(args ?? [])]
    for (const language of languages) {
      sections.get(name)?.[language].push(fenced(cut(await seen([...path, '--help'], { language }), 60)))
      if (!args) continue
      add(name, language, line, cut(await seen(line, { language })))
      add(name, language, [...line, '--json'], cut(shortJson(await seen([...line, '--json'])), 60))
    }
    const picture: string[] = []
    for (const columns of widths) {
      picture.push(`=== weir ${name} --help (${columns})`, cut(await seen([...path, '--help'], { columns }), 60))
      if (args) picture.push(`=== weir ${line.join(' ')} (${columns})`, cut(await seen(line, { columns })))
    }
    if (args) picture.push(`=== weir ${line.join(' ')} --csv`, cut(await seen([...line, '--csv']), 3))
    const file = `test/cli/pictures/${path[0]}.txt`
    files[file] = `${files[file] ?? ''}${picture.join('\n')}\n`
  }

  // What changes something comes last, so that all that looks has seen the same; its JSON is that of the English run.
  const changes = changesOf(dataOf, server)
  const changed = async (name: string, language: Language, ...more: string[]): Promise<[string[], string]> => {
    const line = [...name.split(' '), ...(await changes[name]!.args()), ...more]
    const text = await said(line, { language, data })
    return [line, more.length > 0 ? cut(shortJson(text), 60) : cut(text)]
  }
  const varied: typeof changed = async (name, language, ...more) => {
    const line = [...name.split(' '), ...(await later[name]!()), ...more]
    const printed = masked(await said(line, { language, data }))
    const text = cut(more.length > 0 ? shortJson(printed) : printed, 60)
    return [line.map((word) => masked(steady(word))), masked(steady(text))]
  }
  const phases = [
    { names: leaves.map(([name]) => name).filter((name) => changes[name]), run: changed },
    { names: Object.keys(later), run: varied },
  ]
  const json = new Map<string, Awaited<ReturnType<typeof changed>>>()
  for (const language of languages)
    for (const { names, run } of phases)
      for (const name of names) {
        const human = await run(name, language)
        if (language === 'en') json.set(name, await run(name, language, '--json'))
        for (const [line, text] of [human, json.get(name)!]) add(name, language, line, text)
      }
  for (const language of languages) {
    const texts = [PAGES[language].head, ...[...sections.values()].map((parts) => parts[language].join('\n\n'))]
    files[PAGES[language].file] = `${texts.join('\n\n')}\n`
  }
  return files
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const [file, text] of Object.entries(await everyPage())) {
    mkdirSync(dirname(ROOT + file), { recursive: true })
    writeFileSync(ROOT + file, text)
  }
