// The reference page of commands, from their declarations.
import { words, type Language } from '../../core/errors.ts'
import type { Command, Entry, CommandOutput } from '../command.ts'
import { inLanguage, type Said } from '../language.ts'
import { exitSentence, globalOptions } from '../program.ts'
import { OUTPUT_SCHEMA, plainNames, type FieldKind } from '../view.ts'
import { code, markdownTable, type Page } from './page.ts'

export const commandsPage: Page = {
  topic: 'commands',
  summary: words(
    'Every command of the terminal with its options and the fields it prints',
    '终端的每个命令、其选项与输出字段',
  ),
  write: (commands, language) => {
    const page = writer(language)
    return (
      [
        `# ${page.say(words('Commands', '命令'))}`,
        page.say(EXIT_CODES),
        page.say(OUTPUT),
        `## ${page.say(words('Options of every command', '所有命令通用的选项'))}`,
        page.optionTable(globalOptions),
        ...commands.flatMap((entry) => page.describeEntry(entry)),
      ].join('\n\n') + '\n'
    )
  },
}

const EXIT_CODES = words(
  'Exit codes: 0 done, 1 refused or failed, 2 written wrongly, 130 cancelled. Without a terminal nothing is ever asked: what is missing is an error that names its flag.',
  '退出码：0 完成，1 被拒绝或失败，2 命令写错，130 已取消。没有终端时从不提问：缺少的内容会报错并指出对应的选项。',
)
const OUTPUT = words(
  `Fields of \`--json\` and \`--csv\` are of output schema ${OUTPUT_SCHEMA}: names and kinds stay as they are, new ones may be added. States are words in every language, amounts are quota units with the dollars beside them as \`NAME_usd\`, times are ISO 8601 in UTC, \`null\` is what there is not.`,
  `\`--json\` 与 \`--csv\` 的字段属于输出格式第 ${OUTPUT_SCHEMA} 版：名称与类型保持不变，只会新增。状态在任何语言下都是相同的英文单词，金额为额度单位并附美元 \`NAME_usd\`，时间为 UTC 的 ISO 8601，没有的值为 \`null\`。`,
)

const KINDS: Record<FieldKind, Said> = {
  text: words('text', '文本'),
  word: words('one of', '取值'),
  count: words('whole number', '整数'),
  number: words('number', '数字'),
  money: words('quota units', '额度单位'),
  time: words('time', '时间'),
  ms: words('milliseconds', '毫秒'),
  flag: words('true or false', '真或假'),
  list: words('list', '列表'),
  object: words('object', '对象'),
}

function writer(language: Language) {
  const say = (text: Said) => inLanguage(text, language)
  const stop = language === 'zh' ? '。' : '.'

  function fieldTable({ view, many }: CommandOutput): string {
    const titled = say(many ? words('Fields of each row', '每行的字段') : words('Fields', '字段'))
    const rows = Object.entries(view).map(([name, { kind, title, names }]) => [
      plainNames({ [name]: view[name]! })
        .map(code)
        .join(', '),
      kind === 'word' && names ? `${say(KINDS.word)} ${Object.keys(names).map(code).join(', ')}` : say(KINDS[kind]),
      say(title),
    ])
    return `${titled}\n\n${markdownTable([say(words('Field', '字段')), say(words('Kind', '类型')), say(words('Title', '标题'))], rows)}`
  }

  function optionTable(options: Command['options']): string {
    return markdownTable(
      [say(words('Option', '选项')), say(words('Description', '作用'))],
      Object.values(options).map(({ flag, help, choices }) => [
        code(flag),
        choices ? `${say(help)}${stop} ${choices.map(code).join(', ')}` : say(help),
      ]),
    )
  }

  function describe(command: Command, path: string, heading: string): string[] {
    const { summary, details, failsWhen, arguments: declared, options, output } = command
    const specs = Object.values(declared)
    const detailText = details === undefined ? undefined : say(details)
    return [
      `${heading} ${[path, ...specs.map(({ spec }) => spec)].join(' ').replaceAll('<', '\\<')}`,
      `${say(summary)}${stop}`,
      ...(detailText === undefined ? [] : [detailText.includes('\n') ? '```\n' + detailText + '\n```' : detailText]),
      ...(failsWhen === undefined ? [] : [say(exitSentence(failsWhen))]),
      ...(specs.length === 0 ? [] : [specs.map(({ spec, help }) => `- ${code(spec)}: ${say(help)}`).join('\n')]),
      ...(Object.keys(options).length === 0 ? [] : [optionTable(options)]),
      ...(output ? [fieldTable(output)] : []),
    ]
  }

  const describeEntry = (entry: Entry, path = 'weir', heading = '##'): string[] => {
    const name = `${path} ${entry.name}`
    if (!('commands' in entry)) return describe(entry, name, heading)
    const inner = entry.commands.flatMap((command) => describeEntry(command, name, `${heading}#`))
    return [`${heading} ${name}`, `${say(entry.summary)}${stop}`, ...inner]
  }

  return { say, optionTable, describeEntry }
}
