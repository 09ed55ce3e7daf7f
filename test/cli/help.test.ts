// The help and the reference page of every command, made from the declarations without running one: both languages, every
// width, nothing left out.
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Command as Program, Option } from 'commander'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import stringWidth from 'fast-string-width'
import { allCommands, commandSections } from '../../cli/commands/index.ts'
import { pickLanguage } from '../../cli/language.ts'
import { createProgram, describeExitCode, globalOptions, withShortFlag } from '../../cli/program.ts'
import { commandsReferencePage } from '../../cli/reference/commands.ts'
import { COMMAND_EXAMPLES } from '../../cli/reference/examples.data.ts'
import { writeManPages } from '../../cli/reference/man.ts'
import { listPlainNames } from '../../cli/output/view.ts'
import { findSingular } from '../../cli/command.ts'
import { answerQuickly } from '../../cli/quick-answers.ts'
import { listFailures } from '../support/list-failures.ts'
import { runHere } from '../support/terminal.ts'
import { leaves } from './commands.data.ts'

const LANGUAGES = ['en', 'zh'] as const
const WIDTHS = [60, 80, 120]
type Language = (typeof LANGUAGES)[number]

/** The help of every command and group, by the name that is typed. */
function makeHelp(language: Language, columns: number): Map<string, string> {
  let written = ''
  const stdout = (text: string) => {
    written += text
  }
  const program = createProgram({
    sections: commandSections,
    version: '0',
    language,
    columns,
    stdout,
    stderr: stdout,
    run: async () => undefined,
  })
  const helpByName = new Map<string, string>()
  const visit = (command: Program, path: string) => {
    written = ''
    command.outputHelp()
    helpByName.set(path, written)
    for (const each of command.commands) visit(each, `${path} ${each.name()}`)
  }
  visit(program, 'weir')
  return helpByName
}

const withoutBlanks = (text: string) => text.replace(/\s+/g, '')

describe.each(LANGUAGES)('help in %s', (language) => {
  const details = new Set(
    leaves.flatMap(([, each]) => (each.details ? pickLanguage(each.details, language).split('\n') : [])),
  )
  /** What cannot be broken: one word next to its flag, the line of usage, an example. */
  const isWhole = (line: string) =>
    !/\s/.test(
      line
        .trim()
        .split(/\s{2,}/)
        .at(-1) ?? '',
    ) ||
    /^(Usage:|用法:)/.test(line) ||
    (line.startsWith(' ') && details.has(line))

  it('fits every width, and says the same at each', () => {
    const widest = makeHelp(language, 1000)
    expect([...widest.keys()]).toEqual(expect.arrayContaining(leaves.map(([name]) => `weir ${name}`)))
    const faults: string[] = []
    for (const columns of WIDTHS)
      for (const [name, help] of makeHelp(language, columns)) {
        const wide = help.split('\n').filter((line) => stringWidth(line) > columns && !isWhole(line))
        faults.push(...wide.map((line) => `${name} is wider than ${columns}: ${line}`))
        if (withoutBlanks(help) !== withoutBlanks(widest.get(name) ?? '')) faults.push(`${name} differs at ${columns}`)
      }
    expect(faults).toEqual([])
  })
})

describe.each(LANGUAGES)('weir docs commands in %s', (language) => {
  const page = commandsReferencePage.write(allCommands, language)
  /** The section of each heading, by the command's name. */
  const sections = new Map(
    page
      .split(/^(?=#{1,4} )/m)
      .map((section) => [/^#+ (weir(?: [a-z-]+)*)/.exec(section)?.[1] ?? '', section.replaceAll('\\|', '|')]),
  )
  const missingIn = (section: string, texts: readonly string[]) => texts.filter((text) => !section.includes(text))
  const helpOf = (options: readonly { flag: string; help: Parameters<typeof pickLanguage>[0] }[]) =>
    options.flatMap(({ flag, help }) => [flag, pickLanguage(help, language).replace(/\s*\n\s*/g, ' ')])

  it('describes every command: its summary, arguments, options, fields and exit codes', () => {
    const missing = leaves.flatMap(([name, command]) => {
      const { summary, details, failsWhen, arguments: declared, options, output: gives } = command
      const section = sections.get(`weir ${name}`) ?? ''
      const texts = [
        pickLanguage(summary, language),
        ...(details ? [pickLanguage(details, language)] : []),
        ...(failsWhen ? [describeExitCode(failsWhen)[language]] : []),
        ...Object.values(declared).flatMap(({ spec, help }) => [spec, pickLanguage(help, language)]),
        ...helpOf(Object.values(options)),
        ...(gives ? listPlainNames(gives.view).map((field) => `\`${field}\``) : []),
      ]
      return missingIn(section, texts).map((text) => `${name}: ${text}`)
    })
    expect(missing).toEqual([])
  })

  it('describes the exit codes and options that every command has', () => {
    const [head = ''] = page.split(/^### /m)
    expect(missingIn(head.replaceAll('\\|', '|'), helpOf(Object.values(globalOptions)))).toEqual([])
    expect(head).toMatch(language === 'en' ? /^Exit codes: 0 .*1 .*2 .*130 /m : /^退出码：0 .*1 .*2 .*130 /m)
  })

  it('has every flag that the terminal takes', () => {
    const program = createProgram({
      sections: commandSections,
      version: '0',
      language,
      stdout: () => undefined,
      stderr: () => undefined,
      run: async () => undefined,
    })
    const flagsIn = (command: Program, path: string): string[] => {
      const section = sections.get(path) ?? ''
      const own = command.options.filter(({ long }: Option) => long !== '--version').map(({ flags }) => flags)
      const texts = path === 'weir' ? missingIn(page, own) : missingIn(section, own)
      return [
        ...texts.map((flags) => `${path} ${flags}`),
        ...command.commands.flatMap((each) => flagsIn(each, `${path} ${each.name()}`)),
      ]
    }
    expect(flagsIn(program, 'weir')).toEqual([])
  })

  it('is what the command prints', async () => {
    const { code, stdout } = await runHere(['docs', 'commands', '--language', language])
    expect([code, stdout.trimEnd()]).toEqual([0, page.trimEnd()])
  })
})

describe('the page of a noun', () => {
  /** Parses a command line without running it, and returns the path of its command. */
  async function parse(line: string): Promise<string> {
    const typed = /weir ((?:'[^']*'|"[^"]*"|[^'"|>)])*)/.exec(line)?.[1] ?? ''
    const args = [...typed.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(([, one, two, three]) => one ?? two ?? three!)
    let found = ''
    const program = createProgram({
      sections: commandSections,
      version: '0',
      language: 'en',
      stdout: () => undefined,
      stderr: () => undefined,
      run: async (command) => {
        // A command may stand under several nouns.
        const paths = leaves.filter(([, each]) => each === command).map(([path]) => path)
        found = paths.find((path) => args.slice(0, 2).some((word) => path.startsWith(word))) ?? paths[0]!
      },
    })
    await program.parseAsync(args, { from: 'user' })
    return found
  }

  it('has an example, which is a command line of that noun', async () => {
    expect(Object.keys(COMMAND_EXAMPLES).sort()).toEqual(allCommands.map(({ name }) => name).sort())
    for (const [noun, lines] of Object.entries(COMMAND_EXAMPLES))
      for (const line of lines) expect(await parse(line), line).toMatch(new RegExp(`^${noun}\\b`))
  })

  it('describes its commands alone, by the singular too', async () => {
    for (const { name } of allCommands) {
      const { code, stdout } = await runHere(['docs', 'commands', name])
      expect([code, stdout]).toEqual([0, expect.stringContaining(`# weir ${name}`)])
      for (const line of COMMAND_EXAMPLES[name]!) expect(stdout).toContain(line)
      const headings = [...stdout.matchAll(/^#+ (?:Example|weir ([a-z-]+))/gm)].map(([, noun]) => noun)
      expect(new Set(headings)).toEqual(new Set([name]))
      for (const [path] of leaves) if (path.startsWith(`${name} `)) expect(stdout).toContain(`## weir ${path}`)
    }
    expect((await runHere(['docs', 'commands', 'channel'])).stdout).toBe(
      (await runHere(['docs', 'commands', 'channels'])).stdout,
    )
    const wrong = await runHere(['docs', 'commands', 'chanels'])
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringMatching(/chanels.*Did you mean channels/)])
    expect((await runHere(['docs', 'errors', 'channels'])).code).toBe(2)
  })
})

describe('the manual pages', () => {
  it('are written to a folder, a page for each noun, and listed by the package', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'weir-man-'))
    const { code } = await runHere(['docs', 'man', join(folder, 'man1')])
    const files = await readdir(join(folder, 'man1'))
    await rm(folder, { recursive: true })
    expect(code).toBe(0)
    const names = ['weir', ...allCommands.map(({ name }) => `weir-${name}`)].map((name) => `${name}.1`)
    expect(files.sort()).toEqual(names.sort())
    const { man } = createRequire(import.meta.url)('../../package.json') as { man: string[] }
    expect(man.toSorted()).toEqual(names.map((name) => `dist/man/${name}`).sort())
    expect((await runHere(['docs', 'man'])).code).toBe(2)
  })

  it('have the sections of a manual page, in macros that exist, with every command and flag', () => {
    for (const { file, text } of writeManPages(allCommands, '1.2.3')) {
      expect(text, file).toMatch(/^\.TH "WEIR[A-Z\\-]*" 1 "" "weir 1\.2\.3" "Weir"\n\.SH NAME\nweir\S* \\- ./)
      for (const section of ['SYNOPSIS', 'EXAMPLES', 'EXIT STATUS', 'SEE ALSO'])
        expect(text).toContain(`.SH ${section}\n`)
      const macros = [...text.matchAll(/^\.(\S*)/gm)].map(([, macro]) => macro)
      expect(macros.filter((macro) => !/^(TH|SH|SS|TP|PP|EX|EE|nf|fi|br)$/.test(macro!))).toEqual([])
      // Only ASCII, and no line that begins a macro by chance.
      expect(text).not.toMatch(/[^\0-\x7f]|^'/m)
      const plain = text.replace(/\\f[BIR]/g, '').replaceAll('\\-', '-')
      for (const [path, { options }] of leaves)
        if (file === `weir-${path.split(' ')[0]}.1`) {
          expect(plain).toContain(`weir ${path}`)
          for (const { flag } of Object.values(options)) expect(plain).toContain(`${withShortFlag(flag)}\n`)
        }
    }
  })
})

describe('flags', () => {
  const flags = leaves.flatMap(([path, { options }]) =>
    Object.values(options).map(({ flag, former = [] }) => ({ path, flag, name: flag.split(' ')[0]!, former })),
  )

  it('of one thing have one name and take one kind of value', () => {
    const valuesOf = (name: string) => [...new Set(flags.filter((each) => each.name === name).map(({ flag }) => flag))]
    expect(valuesOf('--channel')).toEqual(['--channel <channel>'])
    expect(valuesOf('--limit')).toEqual(['--limit <number>'])
    expect(valuesOf('--page')).toEqual(['--page <number>'])
    expect(valuesOf('--since')).toEqual(['--since <when>'])
    expect(valuesOf('--until')).toEqual(['--until <when>'])
    expect(valuesOf('--team')).toEqual(['--team <team>'])
    expect(valuesOf('--time-zone').length).toBeGreaterThan(0)
    expect(valuesOf('--search').filter((flag) => flag !== '--search <text>')).toEqual(['--search <words>'])
    // Nothing that has a name is wanted as an id alone.
    const ids = flags.filter(({ flag }) => /<(ids?|id or name)>$/.test(flag)).map(({ path, flag }) => `${path} ${flag}`)
    expect(ids.filter((each) => !/ --(request|receipt|type) <id>$/.test(each))).toEqual([])
  })

  it('of former versions are still taken, and no help shows them', async () => {
    const former = flags.flatMap((each) => each.former.map((old) => ({ ...each, old })))
    const before = [
      ...['init --channel', 'logs tail --last', 'usage ls --zone', 'ledger show --from', 'ledger show --to'],
      ...['topups ls --own', 'bodies on --token'],
    ]
    expect(former.map(({ path, old }) => `${path} ${old}`)).toEqual(expect.arrayContaining(before))
    for (const { path, name, flag, old } of former) {
      const value = flag.includes('<') ? ['x'] : []
      const declared = Object.values(leaves.find(([each]) => each === path)![1].arguments)
      const needed = declared.flatMap(({ spec }) => (spec.startsWith('<') ? ['x'] : []))
      const given = async (typed: string[]) => {
        let found: unknown
        const program = createProgram({
          sections: commandSections,
          version: '0',
          language: 'en',
          stdout: () => undefined,
          stderr: () => undefined,
          run: async (_, { options }) => void (found = options),
        })
        await program.parseAsync([...path.split(' '), ...needed, ...typed], { from: 'user' })
        return found
      }
      expect(await given([old, ...value]), `${path} ${old}`).toEqual(await given([name, ...value]))
      if (value.length > 0) expect(await given([`${old}=x`])).toEqual(await given([name, 'x']))
      expect((await runHere([...path.split(' '), '--help'])).stdout).not.toMatch(new RegExp(`${old}(?![\\w-])`))
    }
  })
})

describe('the names of commands', () => {
  const headOf = async (...words: string[]) => (await runHere([...words, '--help'])).stdout
  const groups = allCommands.flatMap((entry) => ('commands' in entry ? [entry] : []))

  it('may be typed in the singular', async () => {
    const wrong = await listFailures(
      groups.filter(({ name }) => findSingular(name) !== undefined),
      ({ name }) => name,
      async ({ name, commands }) => {
        const [inner] = commands
        expect(await headOf(findSingular(name)!, inner!.name)).toBe(await headOf(name, inner!.name))
      },
    )
    expect(wrong).toEqual([])
    expect(await headOf()).not.toMatch(/\|/)
  })

  it('have one verb for making: add, create and new mean the same', async () => {
    const making = groups.flatMap(({ name, commands }) =>
      commands.flatMap((entry) =>
        'run' in entry && [entry.name, ...(entry.aliases ?? [])].some((verb) => ['add', 'create', 'new'].includes(verb))
          ? [{ name, verb: entry.name }]
          : [],
      ),
    )
    expect(making.length).toBeGreaterThanOrEqual(8)
    const wrong = await listFailures(
      making,
      ({ name }) => name,
      async ({ name, verb }) => {
        for (const other of ['add', 'create', 'new']) expect(await headOf(name, other)).toBe(await headOf(name, verb))
      },
    )
    expect(wrong).toEqual([])
  })

  it('take short flags', async () => {
    const text = JSON.stringify(leaves.map(([, { options }]) => Object.values(options).map(({ flag }) => flag)))
    for (const long of ['--yes', '--limit', '--follow']) expect(text).toContain(long)
    expect((await runHere(['channels', 'types', '-q'])).stdout).toBe(
      (await runHere(['channels', 'types', '--quiet'])).stdout,
    )
    const page = await headOf('logs', 'ls')
    expect(page).toMatch(/ -f, --follow /)
    expect(page).toMatch(/ -n, --limit <number> /)
    expect(await headOf('tokens', 'rm')).toMatch(/ -y, --yes /)
  })

  it('stand under headings', async () => {
    const page = await headOf()
    for (const { heading, commands } of commandSections) {
      const [, section = ''] = page.split(`\n${heading.en}:\n`)
      const [names = ''] = section.split('\n\n')
      for (const { name } of commands) expect(names).toMatch(new RegExp(`^  ${name}\\b`, 'm'))
    }
  })
})

describe('quick answers', () => {
  let cache = ''
  beforeAll(async () => {
    cache = await mkdtemp(join(tmpdir(), 'weir-quick-'))
  })
  afterAll(() => rm(cache, { recursive: true }))

  const ask = async (args: string[], more: Record<string, string> = {}, columns?: number) => {
    let written = ''
    const stdout = { write: (text: string) => (written += text), isTTY: columns !== undefined, columns }
    const isAnswered = await answerQuickly(args, { XDG_CACHE_HOME: cache, ...more }, stdout)
    return isAnswered ? written : undefined
  }

  it('are the version, and the help of every noun as the commands print it, in each language', async () => {
    expect(await ask(['--version'])).toBe((await runHere(['--version'])).stdout)
    expect(await ask([])).toBe((await runHere([])).stdout)
    for (const language of LANGUAGES)
      for (const { name } of allCommands) {
        const env = { WEIR_LANGUAGE: language }
        expect(await ask([name, '--help'], env), name).toBe((await runHere([name, '--help'], { env })).stdout)
      }
    expect(await ask(['channels', 'ls', '-h'], {}, 60)).toBe(
      (await runHere(['channels', 'ls', '--help'], { tty: true, columns: 60 })).stdout,
    )
  })

  it('come from a file the second time, which belongs to this language, width and build', async () => {
    const first = await ask(['tokens', '--help'])
    const folder = join(cache, 'weir')
    for (const file of await readdir(folder)) await writeFile(join(folder, file), 'kept')
    expect(await ask(['tokens', '--help'])).toBe('kept')
    expect(await ask(['tokens', '--help'], { LANG: 'zh_CN.UTF-8' }, 79)).toMatch(/^用法/)
    expect(await ask(['tokens', '--help'], {}, 61)).not.toBe(first)
  })

  it('remove the texts of other builds when one is written', async () => {
    const folder = join(cache, 'weir')
    const old = 'help-0123456789abcdef-0123456789abcdef.txt'
    await ask(['tokens', '--help'])
    const before = await readdir(folder)
    await writeFile(join(folder, old), 'old')
    await writeFile(join(folder, 'other.json'), '')
    await ask(['tokens', '--help'], {}, 62)
    const after = await readdir(folder)
    expect([after.includes(old), after.includes('other.json')]).toEqual([false, true])
    expect(after).toEqual(expect.arrayContaining(before))
  })

  it('are given to nothing else', async () => {
    for (const args of [['tokens'], ['tokens', '--version'], ['--json', '--help'], ['ls', '-q']])
      expect(await ask(args), args.join(' ')).toBeUndefined()
    expect(await ask([], {}, 80)).toBeUndefined()
  })

  it('load nothing but Node and their own file', async () => {
    for (const file of ['cli/quick-answers.ts', 'cli/completion/names.ts']) {
      const source = await readFile(file, 'utf8')
      const from = [...source.matchAll(/^import (?!type).* from '([^']+)'/gm)].map(([, name]) => name)
      expect(from.filter((name) => !name!.startsWith('node:') && name !== './completion/names.ts')).toEqual([])
    }
  })
})
