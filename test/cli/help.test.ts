// The help and the reference page of every command, made from the declarations without running one: both languages, every
// width, nothing left out.
import type { Command as Program, Option } from 'commander'
import { describe, expect, it } from 'vitest'
import stringWidth from 'fast-string-width'
import { allCommands, commandSections } from '../../cli/commands/index.ts'
import { pickLanguage } from '../../cli/language.ts'
import { createProgram, describeExitCode, globalOptions } from '../../cli/program.ts'
import { commandsReferencePage } from '../../cli/reference/commands.ts'
import { listPlainNames } from '../../cli/output/view.ts'
import { findSingular } from '../../cli/command.ts'
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
