// The reference page of the configuration, which is read once, at start.
import { configOptions, fileVariable, secretVariable, secretVariables } from '../../core/config.ts'
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
      FILES[language],
      TERMINAL[language],
      TELEMETRY[language],
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
  words('Description', '说明'),
]
const TELEMETRY = words(
  'OpenTelemetry is configured by its own variables: `OTEL_EXPORTER_OTLP_ENDPOINT` (or that of one signal) has `weir serve` tell traces, metrics and logs by OTLP; `OTEL_TRACES_SAMPLER`, `OTEL_SERVICE_NAME`, `OTEL_SDK_DISABLED` and the others mean what they mean everywhere.',
  'OpenTelemetry 由其自身的变量配置：设置 `OTEL_EXPORTER_OTLP_ENDPOINT`（或单个信号的端点）后，`weir serve` 通过 OTLP 发送追踪、指标与日志；`OTEL_TRACES_SAMPLER`、`OTEL_SERVICE_NAME`、`OTEL_SDK_DISABLED` 等含义与标准一致。',
)
const FILES = words(
  `Each of ${secretVariables.map(code).join(', ')} may be left out where \`_FILE\` behind its name, such as ${code(fileVariable(secretVariable.env))}, names a file that holds it; the newline at its end does not count.`,
  `${secretVariables.map(code).join('、')} 均可改由名称后加 \`_FILE\` 的变量（例如 ${code(fileVariable(secretVariable.env))}）指定保存其内容的文件；文件末尾的换行不计入。`,
)
const TERMINAL = words(
  'The terminal commands also read `WEIR_SERVER` and `WEIR_ACCESS_TOKEN` (a server elsewhere), `WEIR_CONTEXT` (one that `weir login` knows), `WEIR_CONFIG_DIR` (where these are kept), `WEIR_LANGUAGE` (`en` or `zh`), `PAGER` and `NO_COLOR`.',
  '终端命令还读取 `WEIR_SERVER` 与 `WEIR_ACCESS_TOKEN`（其他服务器）、`WEIR_CONTEXT`（`weir login` 保存的网关）、`WEIR_CONFIG_DIR`（其保存位置）、`WEIR_LANGUAGE`（`en` 或 `zh`）、`PAGER` 与 `NO_COLOR`。',
)
