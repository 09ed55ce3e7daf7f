// The page of configuration: what is read once, at start.
import { configOptions, secretVariable } from '../../core/config.ts'
import { words, type Words } from '../../core/errors.ts'
import { code, markdownTable, type Page } from './page.ts'

interface Option {
  flag: string
  env: string
  help: Words
  default?: string
  choices?: readonly string[]
}

export const configurationPage: Page = {
  topic: 'configuration',
  summary: words('Flags and environment variables, read once at start', '启动时读取一次的选项与环境变量'),
  write: (_, language) =>
    [
      `# ${TITLE[language]}`,
      ONCE[language],
      markdownTable(
        TITLES.map((title) => title[language]),
        [
          ...Object.values<Option>(configOptions).map((option) => [
            code(option.flag),
            code(option.env),
            code(option.default ?? ''),
            option.choices
              ? `${option.help[language]}${STOP[language]} ${option.choices.map(code).join(', ')}`
              : option.help[language],
          ]),
          ['', code(secretVariable.env), '', secretVariable.help[language]],
        ],
      ),
      TERMINAL[language],
    ].join('\n\n') + '\n',
}

const STOP = words('.', '。')
const TITLE = words('Configuration', '配置')
const ONCE = words(
  'Read once at start. A flag wins over its variable, a variable over the default.',
  '启动时读取一次。选项优先于变量，变量优先于默认值。',
)
const TITLES = [
  words('Flag', '选项'),
  words('Variable', '变量'),
  words('Default', '默认值'),
  words('What it is', '说明'),
]
const TERMINAL = words(
  'The terminal commands also read `WEIR_SERVER` and `WEIR_ACCESS_TOKEN` (a server elsewhere), `WEIR_CONTEXT` (one that `weir login` knows), `WEIR_CONFIG_DIR` (where these are kept), `WEIR_LANGUAGE` (`en` or `zh`), `PAGER` and `NO_COLOR`.',
  '终端命令还读取 `WEIR_SERVER` 与 `WEIR_ACCESS_TOKEN`（其他服务器）、`WEIR_CONTEXT`（`weir login` 保存的网关）、`WEIR_CONFIG_DIR`（其保存位置）、`WEIR_LANGUAGE`（`en` 或 `zh`）、`PAGER` 与 `NO_COLOR`。',
)
