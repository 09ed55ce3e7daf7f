// Names and messages of other users are printed visibly, by every command and in every output format.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { render } from 'ink-testing-library'
import { createElement } from 'react'
import { describe, expect, it } from 'vitest'
import { listEveryCommand } from '../../cli/command.ts'
import { allCommands } from '../../cli/commands/index.ts'
import { createPrinter, type ResultPrinter, type PrinterOptions } from '../../cli/output/output.ts'
import type { FormQuestion } from '../../cli/parts/form-state.ts'
import { asUntranslatedText } from '../../cli/language.ts'
import { TerminalForm } from '../../cli/parts/form.tsx'
import { text, type OutputView } from '../../cli/output/view.ts'
import { createLogger } from '../../core/adapters/pino.ts'
import { serializeLogRows } from '../../core/logs/export.ts'
import type { LogEntry } from '../../core/calls/log-entry.ts'
import { declaredSettings } from '../../core/settings/index.ts'
import { sampleCases } from '../support/suite.ts'
import { fakeServer, runHere } from '../support/terminal.ts'

const HOSTILE = [
  ...Array.from({ length: 32 }, (_, code) => code).filter((code) => code !== 9 && code !== 10),
  ...Array.from({ length: 33 }, (_, at) => 0x7f + at),
  ...[0x61c, 0x200e, 0x200f, 0x2028, 0x2029, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069],
].map((code) => String.fromCharCode(code))
const name = `ada${HOSTILE.join('x')}\u001b[2J\u009b31m`
const OURS = /\u001b\[(1|2|22|31|32|33|39)m/g

const said = asUntranslatedText(name)
const view: OutputView<{ name: string }> = {
  name: text({ en: 'NAME', zh: '名称' }, 1, (row) => row.name, { tone: () => 'bad' }),
}
const file = async function* () {
  yield `${name}\r\n`
}
const pages = async function* () {
  yield [{ name }]
  yield []
}
/** Every way to print; a new one does not compile. */
const ways: Record<
  Exclude<keyof ResultPrinter, 'form' | 'json' | 'quiet' | 'paint'>,
  (print: ResultPrinter) => unknown
> = {
  say: (print) => print.say(asUntranslatedText(`${print.paint('is', 'good')} ${print.paint(name, 'bad')} ${name}`)),
  list: (print) => print.list([{ name }], view, { empty: said }),
  pages: (print) => print.pages(pages(), view, { empty: said }),
  one: (print) => print.one({ name }, view, { quietOutput: name, title: said }),
  done: (print) => print.done({ name }, view, { human: said, quietOutput: name }),
  next: (print) => print.next([{ name }], view),
  text: (print) => print.text(name, { name }),
  file: (print) => print.file(file()),
  warn: (print) => print.warn(said),
  failure: (print) => print.failure({ exit: 1, message: name, code: 'x' }),
}
const modes: Record<string, Partial<PrinterOptions>> = {
  people: {},
  json: { form: 'json' },
  jq: { form: 'json', jq: '.' },
  csv: { form: 'csv' },
  quiet: { form: 'quiet' },
  colourless: { env: { NO_COLOR: '1' } },
}
const usual = {
  form: 'human',
  env: {},
  language: 'en',
  money: async () => ({ quota_per_unit: 500_000, display_in_currency: true }),
} as const

describe('what is printed', () => {
  it.each(
    Object.keys(ways).flatMap((way) => Object.keys(modes).map((mode) => [way, mode] as [keyof typeof ways, string])),
  )('by %s in the mode %s shows what hides and moves', async (way, mode) => {
    let printed = ''
    const stream = { isTTY: true, write: (text: string) => (printed += text), once: () => undefined }
    await ways[way](createPrinter({ ...usual, stdout: stream, stderr: stream, ...modes[mode] }))
    const foreign = printed.replace(OURS, '')
    for (const each of HOSTILE) {
      expect(foreign.includes(each), `${way}: U+${each.charCodeAt(0).toString(16)}`).toBe(false)
    }
    if (foreign !== '') expect(foreign).toMatch(/\\u202e/)
    if (mode === 'json' && foreign.startsWith('{')) expect(Object.values(JSON.parse(foreign))).toContain(name)
  })

  it('into a file is the thing itself', async () => {
    let printed = ''
    const stream = { write: (text: string) => (printed += text), once: () => undefined }
    const print = createPrinter({ ...usual, stdout: stream, stderr: stream })
    await print.text('a\tb\u202e', null)
    await print.file(file())
    expect(printed).toBe(`a\tb\u202e\n${name}\r\n`)
  })
})

/** What hides or moves in a text, but for what our own colours are. */
const hidden = (text: string) => HOSTILE.filter((each) => text.replace(OURS, '').includes(each))

describe('every command', () => {
  it.each(sampleCases(listEveryCommand(allCommands), 4).map(([path, command]) => [path.join(' '), command] as const))(
    '%s shows it of its command line and of a server that refuses',
    async (path, command) => {
      const server = await fakeServer(() => ({ status: 400, body: { success: false, message: name, code: name } }))
      const required = Object.keys(command.arguments).map(() => '1')
      for (const [args, what] of [
        [[`--${name}`], 'an unknown option'],
        [[...required, name, name, name], 'too many words'],
        [['--language', name], 'a word that is none of several'],
        [[...required.map(() => name), '--yes', '--server', server.url], 'its words'],
        [[...required, '--yes', '--server', server.url, '--access-token', 'x'], 'a refusal'],
        [[...required, '--server', `http://127.0.0.1:1/${name}`], 'nobody there'],
      ] as const) {
        const options = { tty: true, env: { CI: '1' } }
        const { stdout, stderr } = await runHere([...path.split(' '), ...args], options)
        expect(hidden(stdout + stderr), what).toEqual([])
      }
      await server.close()
    },
  )

  it('that is none is named without it', async () => {
    const { stderr } = await runHere([name], { tty: true })
    expect(stderr).toContain('unknown command')
    expect(hidden(stderr)).toEqual([])
  })

  it('asks without it', () => {
    const choice = { value: name, label: said, hint: said }
    for (const kind of ['text', 'choice', 'yes_no', 'secret'] as const) {
      const asked = { name: 'second', label: said, kind, hint: said, fallback: name, choices: [choice, choice] }
      const questions = [{ name: 'first', label: said, kind: 'text', initial: name }, asked] as FormQuestion[]
      const typed = ['enter' as const, ...[...name].map((character) => ({ character }))]
      const { lastFrame, unmount } = render(
        createElement(TerminalForm, { title: name, questions, typed, onEnd: () => undefined }),
      )
      const frame = lastFrame() ?? ''
      unmount()
      expect(frame).toContain('\\u202e')
      expect(hidden(frame), kind).toEqual([])
    }
  })
})

describe('the log of the server', () => {
  it.each(['pretty', 'json'] as const)('written as %s shows it', (format) => {
    let text = ''
    const log = createLogger({ level: 'info', format }, { write: (line) => (text += line) })
    const cause = new Error(name)
    for (const say of [log.info, log.warn, log.error]) {
      say(name, { path: name, list: [name], deep: { [name]: name }, error: new Error(name, { cause }) })
    }
    expect(text.split('\n').length).toBeGreaterThan(3)
    expect(hidden(text)).toEqual([])
    if (format === 'json') {
      for (const line of text.trim().split('\n')) expect(JSON.parse(line)).toMatchObject({ msg: name, path: name })
    }
  })
})

describe('a place that writes for people', () => {
  const sources = ['bin', 'cli', 'core', 'http'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(ts|tsx|js)$/.test(file))
      .map((file) => ({ file: `${folder}/${file}`, text: readFileSync(join(folder, file), 'utf8') })),
  )
  /** Files that may, because what they write is shown by what is tried above. */
  const ways: [what: string, RegExp, string[]][] = [
    [
      'standard streams',
      /\bstd(out|err)\.write\(/,
      [
        'bin/weir.js',
        'cli/main.ts',
        'cli/quick-answers.ts',
        'cli/output/output.ts',
        'cli/output/watch.ts',
        'cli/ui/run.tsx',
        'core/tokens/chat-code.ts',
      ],
    ],
    // In programs that are shown to be copied: nothing there runs.
    [
      'the console',
      /\bconsole\.(log|info|warn|error|debug|table|dir)\(/,
      ['core/tokens/chat-code.ts', 'core/tokens/guides.ts'],
    ],
    [
      'a file descriptor',
      /\bfd: 2\b|\bwriteSync\([12],|\bdestination\(/,
      ['core/adapters/access-lines.ts', 'core/adapters/pino.ts'],
    ],
    [
      'ink',
      /\bText\b[^'\n]*\} from 'ink'|from '@inkjs\/ui'/,
      ['cli/parts/form.tsx', 'cli/parts/painted.tsx', 'cli/parts/show.tsx'],
    ],
  ]
  it.each(ways)('by %s is one of those that show it', (_, way, known) => {
    expect(sources.length).toBeGreaterThan(500)
    expect(sources.filter(({ text }) => way.test(text)).map(({ file }) => file)).toEqual(known)
  })
})

describe('a cell of the exported log', () => {
  const line = async (content: string) => {
    let text = ''
    const row = { content, quota: -5, created_at: 1 } as LogEntry
    const pages = (async function* () {
      yield [row]
    })()
    for await (const piece of serializeLogRows(pages, 'csv')) text += piece
    return text.split('\r\n').slice(1).join('\r\n')
  }
  const signs = ['=', '+', '-', '@', '\uff1d', '\uff0b', '\uff0d', '\uff20', '\ufe66', '\ufe62', '\ufe63', '\ufe6b']
  const blanks = [
    '',
    ' ',
    '   ',
    '\t',
    '\n',
    '\r',
    '\u00a0',
    '\u3000',
    '\u2003',
    '\ufeff',
    '\u200b',
    '\0',
    ' \t\u200b ',
  ]

  it('that a spreadsheet would run is text, behind every blank', async () => {
    for (const sign of signs) {
      for (const blank of blanks) {
        const text = await line(`${blank}${sign}cmd|' /C calc'!A0`)
        expect(text.includes(`'${blank}${sign}cmd`), JSON.stringify(blank + sign)).toBe(true)
      }
    }
  })

  it('is left alone otherwise', async () => {
    expect(await line('1 - 1')).toContain(',1 - 1,')
    expect(await line('a=b')).toContain(',a=b,')
    expect(await line('x')).toContain(',-5,')
  })
})

describe('a link in the settings', () => {
  const bad = [
    ...[
      'javascript:alert(1)',
      'JavaScript:alert(1)',
      ' javascript://x/%0aalert(1)',
      'data:text/html,<script>',
      'vbscript:x',
    ],
    ...[
      '//evil.example',
      '/\\evil.example',
      'ftp://x',
      'file:///etc/passwd',
      'x',
      'blob:https://x/1',
      'view-source:https://x',
    ],
  ]
  it('that people follow is http or https', () => {
    for (const key of ['TopUpLink', 'Logo', 'general_setting.docs_link', 'WeChatAccountQRCodeImageURL'] as const) {
      const { schema } = declaredSettings[key].value
      for (const link of bad) expect(schema.safeParse(link).success, `${key} ${link}`).toBe(false)
      for (const link of ['', 'https://shop.example/a/?b=c', 'http://shop.example/']) {
        expect(schema.parse(link), key).toBe(link)
      }
    }
    expect(declaredSettings.Logo.value.schema.parse('/logo.png')).toBe('/logo.png')
  })

  it('to a chat may open a program of the reader, and runs nothing', () => {
    const { schema } = declaredSettings.Chats.value
    const list = (link: string) => JSON.stringify([{ chat: link }])
    for (const link of [...bad.filter((each) => each !== 'ftp://x')]) {
      expect(schema.safeParse(list(link)).success, link).toBe(false)
    }
    for (const link of [
      'https://chat.example/#/?settings={"key":"{key}"}',
      'ama://set-api-key?server={address}&key={key}',
    ]) {
      expect(schema.safeParse(list(link)).success, link).toBe(true)
    }
  })

  it('is of an address wherever a setting is one', () => {
    const links = Object.entries(declaredSettings).filter(([key]) =>
      /(Address|Url|URL|_url|Link|_link|endpoint|well_known)$/.test(key),
    )
    expect(links.length).toBeGreaterThan(10)
    for (const [key, { value }] of links) {
      for (const link of bad) expect(value.schema.safeParse(link).success, `${key} ${link}`).toBe(false)
    }
  })
})
