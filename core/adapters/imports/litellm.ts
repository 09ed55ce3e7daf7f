// Decrypts the models of a LiteLLM database (XSalsa20-Poly1305, by the SHA-256 of its salt key), with the key in the
// environment of this process.
import { createHash } from 'node:crypto'
import { parseJson } from '../../dialects/json/json-value.ts'
import { readTablePages, type ImportSource } from '../../imports/source.ts'
import { toConfigFields, readConfigFile, type ConfigTables, type ConfigFields } from './config-file.ts'
import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { parseProvider } from '../../imports/litellm/channel.ts'
import { FALLBACK_SETTING_KINDS } from '../../imports/litellm/fallbacks.ts'
import type { SourceRow } from '../../imports/cells.ts'

const TABLE = 'LiteLLM_ProxyModelTable'
const CREDENTIALS = 'LiteLLM_CredentialsTable'
const NONCE = 24
const TAG = 16
/** The rules treat this value as an unset variable. */
const NOT_SET = 'os.environ/LITELLM_SALT_KEY'

type Open = (text: string) => string | null
type LiteLlmFields = Record<string, unknown>

/** Returns the same source with decrypted model parameters, which include those of a model's credential. */
export async function withDecryptedModels(source: ImportSource): Promise<ImportSource> {
  if (!source.tables.has(TABLE)) return source
  const open = await opener([process.env.LITELLM_SALT_KEY, process.env.LITELLM_MASTER_KEY])
  const credentials = await readCredentials(source, open)
  return {
    ...source,
    async rows(table, order, after, limit) {
      const rows = await source.rows(table, order, after, limit)
      if (table !== TABLE) return rows
      return rows.map((row) => ({
        ...row,
        litellm_params: withCredential(
          decryptParams(row.litellm_params ?? '', row.model_name ?? '', open),
          credentials,
        ),
      }))
    },
  }
}

async function readCredentials(source: ImportSource, open: Open): Promise<Map<string, LiteLlmFields>> {
  const credentials = new Map<string, LiteLlmFields>()
  for await (const page of readTablePages(source, CREDENTIALS, 'credential_name'))
    for (const { credential_name: name, credential_values: values } of page)
      credentials.set(name ?? '', toConfigFields(parseJson(decryptParams(values ?? '', name ?? '', open))))
  return credentials
}

/** Adds the values of the model's credential. The model's own values take precedence. */
function withCredential(params: string, credentials: ReadonlyMap<string, LiteLlmFields>): string {
  const { litellm_credential_name: name, ...own } = toConfigFields(parseJson(params))
  const found = typeof name === 'string' ? credentials.get(name) : undefined
  return found ? JSON.stringify({ ...found, ...own }) : params
}

async function opener(texts: readonly (string | undefined)[]): Promise<Open> {
  const { xsalsa20poly1305 } = await import('@noble/ciphers/salsa.js')
  const keys = texts.filter((text) => text).map((text) => createHash('sha256').update(String(text)).digest())
  return (text) => {
    const bytes = Buffer.from(text, 'base64url')
    for (const key of keys) {
      try {
        return Buffer.from(xsalsa20poly1305(key, bytes.subarray(0, NONCE)).decrypt(bytes.subarray(NONCE))).toString()
      } catch {
        // Encrypted with another key, or in plain text.
      }
    }
    return null
  }
}

/** Names of models contain other characters, or are shorter. */
const isLocked = (text: string) => /^[\w+/-]+={0,2}$/.test(text) && Buffer.from(text, 'base64url').length >= NONCE + TAG

/** Returns the parameters in plain text. If they cannot be decrypted, the model gets its name and no key. */
function decryptParams(params: string, name: string, open: Open): string {
  let fields: Record<string, unknown>
  try {
    fields = JSON.parse(params) as Record<string, unknown>
  } catch {
    return params
  }
  const { model } = fields
  if (typeof model === 'string' && isLocked(model) && open(model) === null)
    return JSON.stringify({ model: name, api_key: NOT_SET })
  return JSON.stringify(
    Object.fromEntries(
      Object.entries(fields).map(([member, value]) => [
        member,
        typeof value === 'string' ? environment((isLocked(value) ? open(value) : null) ?? value) : value,
      ]),
    ),
  )
}

const environment = (text: string): string =>
  text.startsWith('os.environ/') ? (process.env[text.slice('os.environ/'.length)] ?? text) : text

// A LiteLLM `config.yaml` as tables: one row per model, one row per setting. References to the environment
// (`os.environ/NAME`) are resolved in that of this process, after the variables that the file itself sets.

type ConfigVariables = Readonly<Record<string, string | undefined>>

const SECTIONS = ['router_settings', 'litellm_settings', 'general_settings'] as const
/** The sections that become part of the models, or of the environment. */
const READ = ['model_list', 'include', 'environment_variables', 'credential_list', ...SECTIONS]

/** Returns undefined if the file is not LiteLLM's. @throws StartError if an included file cannot be read */
export async function readLiteLlmConfig(file: ConfigFields, path: string): Promise<ConfigTables | undefined> {
  const included = await withIncludes(file, path)
  if (!Array.isArray(included.model_list) || included.model_list.length === 0) return undefined
  const env = addVariables(process.env, included.environment_variables)
  const config = toConfigFields(resolveReferences(included, env))
  const list = withCredentials((config.model_list as unknown[]).map(toConfigFields), config.credential_list)
  const entries = await Promise.all(list.map((entry) => withAccount(entry, env)))
  const models = numberModels(entries, parseAliases(config), env)
  return new Map([
    ['model_list', { columns: ['id', 'model_name', 'litellm_params', 'model_info', 'aliases'], rows: models }],
    ['settings', { columns: ['key', 'value', 'models'], rows: parseSettings(config, listNames(models)) }],
  ])
}

/** Adds the files that `include` names, as LiteLLM does: lists are appended, everything else is replaced. */
async function withIncludes({ include, ...own }: ConfigFields, path: string): Promise<ConfigFields> {
  const merged: ConfigFields = own
  for (const name of [include ?? []].flat().filter((each) => typeof each === 'string'))
    for (const [key, value] of Object.entries(await readConfigFile(resolve(dirname(path), name)))) {
      const before = merged[key]
      merged[key] = Array.isArray(before) && Array.isArray(value) ? [...before, ...value] : value
    }
  return merged
}

const ENVIRONMENT = 'os.environ/'

function addVariables(env: ConfigVariables, section: unknown): ConfigVariables {
  const own = Object.entries(toConfigFields(section)).map(([name, value]) => [
    name,
    String(resolveReferences(value, env)),
  ])
  return { ...env, ...Object.fromEntries(own) }
}

/** Resolves references to the environment. An unset variable stays as written: the rules report it. */
function resolveReferences(value: unknown, env: ConfigVariables): unknown {
  if (typeof value === 'string')
    return value.startsWith(ENVIRONMENT) ? (env[value.slice(ENVIRONMENT.length)] ?? value) : value
  if (Array.isArray(value)) return value.map((each) => resolveReferences(each, env))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, resolveReferences(each, env)]))
}

/** Adds the values of each model's credential. The model's own values take precedence. */
function withCredentials(list: readonly ConfigFields[], section: unknown): ConfigFields[] {
  const values = new Map(
    [section ?? []].flat().map((each) => {
      const { credential_name, credential_values } = toConfigFields(each)
      return [credential_name, toConfigFields(credential_values)] as const
    }),
  )
  return list.map((entry) => {
    const { litellm_credential_name: name, ...own } = toConfigFields(entry.litellm_params)
    const found = values.get(name)
    return found ? { ...entry, litellm_params: { ...found, ...own } } : entry
  })
}

/** Assigns ids by content and target, because the position in the list may change. */
function numberModels(
  list: readonly ConfigFields[],
  aliases: ReadonlyMap<string, string[]>,
  env: ConfigVariables,
): SourceRow[] {
  const seen = new Map<string, number>()
  return list.map((entry) => {
    const [params, info] = [toConfigFields(entry.litellm_params), toConfigFields(entry.model_info)]
    const name = String(entry.model_name ?? '')
    const plain = String(info.id ?? [name, params.model, params.api_base].filter(Boolean).join(' '))
    const count = (seen.get(plain) ?? 0) + 1
    seen.set(plain, count)
    return {
      id: count === 1 ? plain : `${plain} ${count}`,
      model_name: name,
      litellm_params: JSON.stringify(withUsualKey(params, env)),
      model_info: JSON.stringify(info),
      aliases: (aliases.get(name) ?? []).join(','),
    }
  })
}

/** Replaces the path of a Google account by the file. An unreadable file stays a path: the rules report it. */
async function withAccount(entry: ConfigFields, env: ConfigVariables): Promise<ConfigFields> {
  const params = toConfigFields(entry.litellm_params)
  const { vertex_credentials: account = findUsualAccount(params, env) } = params
  if (typeof account !== 'string' || account.trim().startsWith('{')) return entry
  const text = await readFile(account, 'utf8').catch(() => account)
  return { ...entry, litellm_params: { ...params, vertex_credentials: text } }
}

/** Without an account, Google's own library would read it from this variable. */
const findUsualAccount = ({ model }: ConfigFields, env: ConfigVariables): string | undefined =>
  typeof model === 'string' && model.startsWith('vertex_ai') ? env.GOOGLE_APPLICATION_CREDENTIALS : undefined

/** Without a key or an address, the provider's own library would read it from these variables. */
function withUsualKey(params: ConfigFields, env: ConfigVariables): ConfigFields {
  if (typeof params.model !== 'string') return params
  const { provider } = parseProvider(params, params.model)
  const name = provider.toUpperCase().replace(/[^A-Z0-9]/g, '_')
  const { [`${name}_API_KEY`]: key, [`${name}_API_BASE`]: base, [`${name}_BASE_URL`]: url } = env
  const address = url || base
  return {
    ...params,
    ...(key && params.api_key === undefined ? { api_key: key } : {}),
    ...(address && params.api_base === undefined && params.base_url === undefined ? { api_base: address } : {}),
  }
}

/** Returns further names of models, by model. */
function parseAliases(config: ConfigFields): Map<string, string[]> {
  const all = SECTIONS.flatMap((section) =>
    Object.entries(toConfigFields(toConfigFields(config[section]).model_group_alias)),
  )
  const byModel = new Map<string, string[]>()
  for (const [alias, target] of all) {
    const model = typeof target === 'string' ? target : String(toConfigFields(target).model ?? '')
    byModel.set(model, [...(byModel.get(model) ?? []), alias])
  }
  return byModel
}

const listNames = (models: readonly SourceRow[]): string[] => [
  ...new Set(models.flatMap(({ model_name, aliases }) => [model_name ?? '', ...(aliases ?? '').split(',')])),
]

/** The kinds of fallbacks become one setting, so that they are one row. */
function parseSettings(config: ConfigFields, names: readonly string[]): SourceRow[] {
  const models = JSON.stringify(names.filter((name) => name !== ''))
  const inSections = SECTIONS.flatMap((section) =>
    Object.entries(toConfigFields(config[section])).map(([name, value]) => ({ section, name, value })),
  )
  const isFallback = ({ name }: { name: string }) => FALLBACK_SETTING_KINDS.some((kind) => kind === name)
  const fallbacks = inSections.filter(isFallback).map(({ name, value }) => [name, value])
  const others = Object.entries(config).filter(([name]) => !READ.includes(name))
  const rows = [
    ...(fallbacks.length === 0 ? [] : [['fallbacks', fallbacks] as const]),
    ...inSections
      .filter((each) => !isFallback(each))
      .map(({ section, name, value }) => [`${section}.${name}`, value] as const),
    ...others,
  ]
  return rows.map(([key, value]) => ({ key, value: JSON.stringify(value ?? null), models }))
}
