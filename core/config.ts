// The process's environment: flag, variable, default and help of each option. Read once at start.
import { z } from 'zod'
import { cleanBaseUrl } from './contract/url.ts'
import { describeFaults } from './contract/validation.ts'
import { fillTemplate, joinTexts, toWords, words, type ErrorCode, type Words } from './errors.ts'

interface ConfigOption {
  /** In the notation of commander: `--port <number>`. */
  flag: string
  env: string
  default?: string
  help: Words
  choices?: readonly string[]
  /** True if the variable may name a file instead: see `SECRET_VARIABLE_NAMES`. */
  secret?: true
}

export const configOptions = {
  host: {
    flag: '--host <address>',
    env: 'HOST',
    default: '127.0.0.1',
    help: words('address to listen on'),
  },
  port: { flag: '--port <number>', env: 'PORT', default: '3000', help: words('port to listen on') },
  base_path: {
    flag: '--base-path <path>',
    env: 'WEIR_BASE_PATH',
    default: '/',
    help: words('path that everything is served below, such as /ai, where a proxy gives Weir a part of a site'),
  },
  metrics_port: {
    flag: '--metrics-port <number>',
    env: 'WEIR_METRICS_PORT',
    help: words(
      'separate port for /metrics, /healthz and /readyz; without it metrics need a token (the setting metrics.token)',
    ),
  },
  metrics_host: {
    flag: '--metrics-host <address>',
    env: 'WEIR_METRICS_HOST',
    default: '127.0.0.1',
    help: words('address of that port; who reaches it reads the metrics'),
  },
  data: {
    flag: '--data <folder>',
    env: 'WEIR_DATA',
    default: './weir-data',
    help: words('folder for the database and the key file'),
  },
  database: {
    flag: '--database <url>',
    env: 'DATABASE_URL',
    help: words('postgres:// address; without it Weir uses SQLite in the data folder'),
    secret: true,
  },
  new_database: {
    flag: '--new-database <answer>',
    env: 'WEIR_NEW_DATABASE',
    default: 'no',
    help: words(
      'set up a new database although this data folder has known another, or although the database has tables of another program',
    ),
    choices: ['yes', 'no'],
  },
  journal: {
    flag: '--journal <use>',
    env: 'WEIR_JOURNAL',
    help: words(
      'local: responses end when their charge is in the journal on the local disk, and the database is written later (the default on SQLite); spool: they wait for the database, and the journal stores charges while it is unavailable (on PostgreSQL)',
    ),
    choices: ['local', 'spool'],
  },
  logs: {
    flag: '--logs <address>',
    env: 'WEIR_LOGS',
    help: words(
      'where rows of the log move on to from the database: clickhouse://user:password@host:8123/database, sqlite:file, parquet:folder, or database to keep them there (default: sqlite:logs.db on SQLite, database on PostgreSQL)',
    ),
    secret: true,
  },
  redis: {
    flag: '--redis <url>',
    env: 'WEIR_REDIS',
    help: words(
      'redis:// address of a Redis or Valkey in which instances count rates and calls in progress together; without it the database does',
    ),
    secret: true,
  },
  log_level: {
    flag: '--log-level <level>',
    env: 'LOG_LEVEL',
    default: 'info',
    help: words('how much to log'),
    choices: ['debug', 'info', 'warn', 'error', 'silent'],
  },
  log_format: {
    flag: '--log-format <format>',
    env: 'LOG_FORMAT',
    help: words('how the log is written; on a terminal pretty, elsewhere json'),
    choices: ['pretty', 'json'],
  },
  access_log: {
    flag: '--access-log <where>',
    env: 'WEIR_ACCESS_LOG',
    default: 'off',
    help: words('a line of JSON for each call: off, stdout, or a file that it is added to'),
  },
} as const satisfies Record<string, ConfigOption>

/** The kinds of data that can be sent by OTLP. */
export const TELEMETRY_SIGNALS = ['traces', 'metrics', 'logs'] as const
export type TelemetrySignal = (typeof TELEMETRY_SIGNALS)[number]

/**
 * Reads from OpenTelemetry's own variables which signals are sent by OTLP. A signal is sent if an endpoint is set for
 * it or for all, or its exporter is `otlp`; it is not sent with `OTEL_SDK_DISABLED=true` or the exporter `none`.
 */
export function readTelemetrySignals(env: Record<string, string | undefined>): TelemetrySignal[] {
  if (env.OTEL_SDK_DISABLED?.trim().toLowerCase() === 'true') return []
  return TELEMETRY_SIGNALS.filter((signal) => {
    const name = signal.toUpperCase()
    const exporter = env[`OTEL_${name}_EXPORTER`]?.trim()
    if (exporter) return exporter.split(',').some((each) => each.trim() === 'otlp')
    return Boolean(env.OTEL_EXPORTER_OTLP_ENDPOINT || env[`OTEL_EXPORTER_OTLP_${name}_ENDPOINT`])
  })
}

/** Read from the environment only, so that it never shows in a process list. */
export const secretVariable = {
  env: 'WEIR_SECRET',
  help: words('master secret; without it, a key file in the data folder is created and used'),
} as const

/** Used by programs that manage a remote Weir. */
export const accessTokenVariable = 'WEIR_ACCESS_TOKEN'

/** Variables with secret values. Each may name a file that holds the value instead: `WEIR_SECRET_FILE`. */
export const SECRET_VARIABLE_NAMES: readonly string[] = [
  ...Object.values<ConfigOption>(configOptions)
    .filter(({ secret }) => secret)
    .map(({ env }) => env),
  secretVariable.env,
  accessTokenVariable,
]

export const toFileVariable = (variable: string): string => `${variable}_FILE`

export interface Config {
  host: string
  port: number
  /** Prefix of every path, such as `/ai`; `/` for none. */
  base_path?: string
  /** Separate port for metrics and probes. */
  metrics_port?: number
  metrics_host?: string
  data: string
  database?: string
  new_database?: 'yes' | 'no'
  journal?: 'local' | 'spool'
  /** Second place for log rows. */
  logs?: string
  /** Store in which instances count rates together. */
  redis?: string
  log_level: 'debug' | 'info' | 'warn' | 'error' | 'silent'
  log_format: 'pretty' | 'json'
  /** `off`, `stdout`, or a file. */
  access_log?: string
  /** Signals that are sent by OTLP; undefined if none. */
  telemetrySignals?: readonly TelemetrySignal[]
  secret?: string
}

/** Built with the configuration, so that a command that needs none builds no schema. */
const createSchema = () =>
  z.object({
    host: z.string().min(1),
    port: z.coerce.number().int().min(0).max(65535),
    // Only characters that need no quoting in a page, a cookie or a header.
    base_path: z.string().regex(/^(?!.*\/\.\.?(\/|$))\/?([\w.~-]+\/)*([\w.~-]+)?$/, {
      error: 'config.base_path' satisfies ErrorCode,
    }),
    metrics_port: z.coerce.number().int().min(0).max(65535).optional(),
    metrics_host: z.string().min(1).optional(),
    // A mistyped `--data-json` must not create a folder of that name with a key in it.
    data: z
      .string()
      .min(1)
      .regex(/^(?!\s*[{[])/, { error: 'config.data' satisfies ErrorCode }),
    database: z
      .string()
      .regex(/^postgres(ql)?:\/\/.+/, { error: 'config.database' satisfies ErrorCode })
      .optional(),
    new_database: z.enum(configOptions.new_database.choices),
    journal: z.enum(configOptions.journal.choices).optional(),
    logs: z
      .string()
      .regex(/^((clickhouses?:\/\/|sqlite:|parquet:).|database$)/, { error: 'config.logs' satisfies ErrorCode })
      .optional(),
    redis: z
      .string()
      .regex(/^rediss?:\/\/.+/, { error: 'config.redis' satisfies ErrorCode })
      .optional(),
    log_level: z.enum(configOptions.log_level.choices),
    log_format: z.enum(configOptions.log_format.choices),
    access_log: z.string().min(1),
    secret: z.string().min(16).optional(),
  })

/** A flag or variable with an invalid value, with one sentence for the operator. */
export class ConfigError extends Error {
  readonly words: Words
  /** True if the value came from a flag and not from a variable. */
  readonly flag: boolean

  constructor(text: Words, flag = false) {
    super(text.en)
    this.words = text
    this.flag = flag
  }
}

export type ConfigFlags = Partial<Record<keyof typeof configOptions, string>>

/**
 * Builds the configuration. Flags take precedence over variables, and variables over defaults.
 * @throws ConfigError naming the flag and the variable
 */
export function buildConfig(flags: ConfigFlags, env: Record<string, string | undefined>, terminal: boolean): Config {
  const raw: Record<string, string | undefined> = { secret: env[secretVariable.env] || undefined }
  for (const [name, option] of Object.entries(configOptions) as [keyof typeof configOptions, ConfigOption][]) {
    raw[name] = flags[name] ?? (env[option.env] || undefined) ?? option.default
  }
  raw.log_format ??= terminal ? 'pretty' : 'json'
  const schema = createSchema()
  const parsed = schema.safeParse(raw)
  if (parsed.success) {
    const telemetrySignals = readTelemetrySignals(env)
    return telemetrySignals.length > 0 ? { ...parsed.data, telemetrySignals } : parsed.data
  }
  const clauses = describeFaults(parsed.error, schema, raw, ([name]) => {
    const option = (configOptions as Record<string, ConfigOption>)[String(name)]
    const where = option ? `${option.flag.split(' ')[0]} (${option.env})` : secretVariable.env
    return toWords(where)
  })
  const sentences = clauses.map(({ text }) => fillTemplate(words('{clause}.'), { clause: text }))
  throw new ConfigError(joinTexts(sentences, toWords('\n')), Object.hasOwn(flags, clauses[0].field))
}

/** Formats where the data is: the folder of SQLite, or the address without user, password and parameters. */
export function formatDatabasePlace({ folder, database = '' }: { folder?: string; database?: string }): string {
  if (folder !== undefined) return folder
  if (!URL.canParse(database)) return database
  const { protocol, host, pathname } = new URL(database)
  return `${protocol}//${host}${pathname}`
}

const ANY = ['0.0.0.0', '::', '']

/** Returns the address for a browser on this machine, without a trailing slash. */
export function localAddress({ host, port, base_path = '/' }: Pick<Config, 'host' | 'port' | 'base_path'>): string {
  const name = ANY.includes(host) ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host
  return cleanBaseUrl(`http://${name}:${port}/${base_path.replace(/^\/+/, '')}`)
}
