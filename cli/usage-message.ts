// What the parser of the command line finds wrong, in the person's language.
import type { Language } from '../core/errors.ts'

/** The parser's English sentences; `$1` and the like are what it quotes. */
const SENTENCES: readonly (readonly [RegExp, string])[] = [
  [/^unknown option '(.+?)'/, '未知选项 $1'],
  [/^unknown command '(.+?)' \(there are (.+?)\)/, '未知命令 $1（可用：$2）'],
  [/^unknown command '(.+?)'/, '未知命令 $1'],
  [/^missing required argument '(.+?)'/, '缺少参数 $1'],
  [/^option '(.+?)' argument missing/, '选项 $1 缺少值'],
  [/^option '(.+?)' argument '(.*?)' is invalid\. Allowed choices are (.+?)\./, '选项 $1 的值 $2 无效：可选 $3。'],
  [/^command-argument value '(.*?)' is invalid for argument '(.+?)'\./, '参数 $2 的值 $1 无效。'],
  [
    /^too many arguments(?: for '(.+?)')?\. Expected (\d+) arguments? but got (\d+)(?:: (.+?))?\./,
    '参数过多：应为 $2 个，给出了 $3 个。',
  ],
  [/\(Did you mean one of (.+?)\?\)/, '（是否指 $1？）'],
  [/\(Did you mean (.+?)\?\)/, '（是否指 $1？）'],
]

/** The sentence as it is said to the person. */
export const usageMessage = (text: string, language: Language): string =>
  language === 'en' ? text : SENTENCES.reduce((said, [pattern, translated]) => said.replace(pattern, translated), text)
