// A LiteLLM `config.yaml` as tables: one row per model, one row per setting. References to the environment
// (`os.environ/NAME`) are resolved in that of this process.
import { readFile } from 'node:fs/promises'
import { parse } from 'yaml'
import type { SourceRow } from '../../imports/cells.ts'
import type { ImportSource } from '../../imports/source.ts'
import { StartError } from '../start-error.ts'

type Fields = Record<string, unknown>

const SECTIONS = ['litellm_settings', 'router_settings', 'general_settings'] as const
const MODEL_COLUMNS = ['id', 'model_name', 'litellm_params', 'model_info', 'aliases'] as const

export async function openYamlSource(path: string): Promise<ImportSource> {
  const config = toFields(await read(path))
  const list = Array.isArray(config.model_list) ? config.model_list.map(toFields) : null
  if (!list) throw new StartError(`The file ${path} is no config.yaml of LiteLLM: it has no model_list.`)
  const tables = new Map<string, SourceRow[]>([
    ['model_list', numbered(await Promise.all(list.map(withAccount)), parseAliases(config))],
    ['settings', parseSettings(config)],
  ])
  return {
    tables: new Map([
      ['model_list', new Set<string>(MODEL_COLUMNS)],
      ['settings', new Set(['key', 'value'])],
    ]),
    async rows(table, order, after, limit) {
      const rows = tables.get(table) ?? []
      const from = after === null ? 0 : rows.findIndex((row) => row[order] === after) + 1
      return rows.slice(from, from + limit)
    },
    count: async (table) => tables.get(table)?.length ?? 0,
    close: async () => undefined,
  }
}

async function read(path: string): Promise<unknown> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new StartError(
      `The file ${path} cannot be read (${(error as { code?: string }).code ?? String(error)}).`,
      error,
    )
  })
  try {
    return fromEnvironment(parse(text) as unknown)
  } catch (error) {
    throw new StartError(`The file ${path} is no YAML: ${(error as Error).message.split('\n', 1)[0]}`, error)
  }
}

const toFields = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}

const ENVIRONMENT = 'os.environ/'

/** An unset variable stays as written: the rules report it. */
function fromEnvironment(value: unknown): unknown {
  if (typeof value === 'string')
    return value.startsWith(ENVIRONMENT) ? (process.env[value.slice(ENVIRONMENT.length)] ?? value) : value
  if (Array.isArray(value)) return value.map(fromEnvironment)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, fromEnvironment(each)]))
}

/** Assigns ids by content and target, because the position in the list may change. */
function numbered(list: readonly Fields[], aliases: ReadonlyMap<string, string[]>): SourceRow[] {
  const seen = new Map<string, number>()
  return list.map((entry) => {
    const [params, info] = [toFields(entry.litellm_params), toFields(entry.model_info)]
    const name = String(entry.model_name ?? '')
    const plain = String(info.id ?? [name, params.model, params.api_base].filter(Boolean).join(' '))
    const count = (seen.get(plain) ?? 0) + 1
    seen.set(plain, count)
    return {
      id: count === 1 ? plain : `${plain} ${count}`,
      model_name: name,
      litellm_params: JSON.stringify(withUsualKey(params)),
      model_info: JSON.stringify(info),
      aliases: (aliases.get(name) ?? []).join(','),
    }
  })
}

/** Replaces the path of a Google account by the file. An unreadable file stays a path: the rules report it. */
async function withAccount(entry: Fields): Promise<Fields> {
  const params = toFields(entry.litellm_params)
  const { vertex_credentials: account = usualAccount(params) } = params
  if (typeof account !== 'string' || account.trim().startsWith('{')) return entry
  const text = await readFile(account, 'utf8').catch(() => account)
  return { ...entry, litellm_params: { ...params, vertex_credentials: text } }
}

/** Without an account, Google's own library would read it from this variable. */
const usualAccount = ({ model }: Fields): string | undefined =>
  typeof model === 'string' && model.startsWith('vertex_ai') ? process.env.GOOGLE_APPLICATION_CREDENTIALS : undefined

/** Without a key or an address, the provider's own library would read it from these variables. */
function withUsualKey(params: Fields): Fields {
  if (typeof params.model !== 'string') return params
  const [prefix = ''] = params.model.includes('/') ? params.model.split('/') : ['openai']
  const name = prefix.toUpperCase().replace(/[^A-Z0-9]/g, '_')
  const { [`${name}_API_KEY`]: key, [`${name}_API_BASE`]: base, [`${name}_BASE_URL`]: url } = process.env
  const address = url || base
  return {
    ...params,
    ...(key && params.api_key === undefined ? { api_key: key } : {}),
    ...(address && params.api_base === undefined && params.base_url === undefined ? { api_base: address } : {}),
  }
}

/** Returns further names of models, by model. */
function parseAliases(config: Fields): Map<string, string[]> {
  const all = SECTIONS.flatMap((section) => Object.entries(toFields(toFields(config[section]).model_group_alias)))
  const byModel = new Map<string, string[]>()
  for (const [alias, target] of all) {
    const model = typeof target === 'string' ? target : String(toFields(target).model ?? '')
    byModel.set(model, [...(byModel.get(model) ?? []), alias])
  }
  return byModel
}

function parseSettings(config: Fields): SourceRow[] {
  const inSections = SECTIONS.flatMap((section) =>
    Object.entries(toFields(config[section])).map(([name, value]) => [`${section}.${name}`, value] as const),
  )
  const others = Object.entries(config).filter(
    ([name]) => name !== 'model_list' && !SECTIONS.some((each) => each === name),
  )
  return [...inSections, ...others].map(([key, value]) => ({ key, value: JSON.stringify(value ?? null) }))
}
