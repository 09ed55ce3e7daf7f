// A Bifrost `config.json` as tables: a row for each key of a provider, for each virtual key and its owners. References
// to the environment (`env.NAME`) are resolved in that of this process.
import { ALL_MODELS, toNameList, findChannelType, listKeyModels } from '../../imports/bifrost/models.ts'
import type { SourceRow } from '../../imports/cells.ts'
import { digestImportedKey } from './one-hub.ts'
import { toConfigFields, type ConfigTables, type ConfigFields } from './config-file.ts'

const ENVIRONMENT = 'env.'
/** The rules treat this prefix as that of an unset variable. */
const UNSET = 'os.environ/'
/** The sections that become rows. */
const READ = ['$schema', 'version', 'providers', 'governance']

/** Returns undefined if the file is not Bifrost's, or has no provider. */
export function readBifrostConfig(file: ConfigFields): ConfigTables | undefined {
  const config = toConfigFields(resolveReferences(file))
  const providers = Object.entries(toConfigFields(config.providers)).map(
    ([name, value]) => [name, toConfigFields(value)] as const,
  )
  const isBifrost = providers.some(([, { keys }]) => Array.isArray(keys)) || /bifrost/.test(String(file.$schema))
  if (!isBifrost || providers.length === 0) return undefined
  const governance = toConfigFields(config.governance)
  const keys = providers.flatMap(([name, provider]) => listKeys(name, provider, config.version))
  return new Map([
    ['owners', { columns: ['id', 'name', 'budget'], rows: listOwners(governance) }],
    ['provider_keys', { columns: ['id', 'provider', 'key', 'config', 'models'], rows: keys }],
    [
      'virtual_keys',
      { columns: ['id', 'owner', 'key', 'key_digest', 'models'], rows: listVirtualKeys(governance, keys) },
    ],
    ['settings', { columns: ['key'], rows: listSettings(config, governance) }],
  ])
}

/** A value is a text, or an object that names where it is. An unset variable keeps its name. */
function resolveReferences(value: unknown): unknown {
  if (typeof value === 'string') return value.startsWith(ENVIRONMENT) ? readVariable(value.slice(4)) : value
  if (Array.isArray(value)) return value.map(resolveReferences)
  if (typeof value !== 'object' || value === null) return value
  const { env_var: variable, value: text, from_env: isVariable } = value as ConfigFields
  if (typeof variable === 'string' && variable !== '' && isVariable !== false)
    return readVariable(variable.replace(/^env\./, ''))
  if (typeof text === 'string' && (variable !== undefined || isVariable !== undefined)) return text
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, resolveReferences(each)]))
}

const readVariable = (name: string): string => process.env[name] ?? UNSET + name

/** A provider without keys has one row: it may be a server that needs none. */
function listKeys(provider: string, { keys, ...config }: ConfigFields, version: unknown): SourceRow[] {
  const list = Array.isArray(keys) && keys.length > 0 ? keys.map(toConfigFields) : [{}]
  const type = findChannelType(provider, config)
  return list.map((key, place) => ({
    id: `${provider} ${String(key.id ?? key.name ?? place + 1)}`,
    provider,
    key: JSON.stringify(key),
    config: JSON.stringify(config),
    models: JSON.stringify(listKeyModels(key, type, version)),
  }))
}

const toConfigList = (value: unknown): ConfigFields[] => (Array.isArray(value) ? value.map(toConfigFields) : [])

/** Finds what an id names; entries may also name their owner themselves. */
function findOwned(list: unknown, owner: string, entry: ConfigFields, member: string): ConfigFields[] {
  const ids = [entry[member], ...[entry[`${member}s`] ?? []].flat()]
  return toConfigList(list).filter(({ id, [owner]: of }) => ids.includes(id) || (of !== undefined && of === entry.id))
}

function listOwners(governance: ConfigFields): SourceRow[] {
  const rows = (kind: 'customer' | 'team') =>
    toConfigList(governance[`${kind}s`]).map((entry) => ({
      id: `${kind} ${String(entry.id)}`,
      name: String(entry.name ?? entry.id),
      budget: JSON.stringify([
        ...findOwned(governance.budgets, `${kind}_id`, entry, 'budget_id'),
        ...toConfigList(entry.budgets),
      ]),
    }))
  return [...rows('customer'), ...rows('team')]
}

function listVirtualKeys(governance: ConfigFields, keys: readonly SourceRow[]): SourceRow[] {
  const served = keys.map((row) => ({
    provider: row.provider ?? '',
    names: toNameList((JSON.parse(row.models ?? '{}') as ConfigFields).names),
  }))
  return toConfigList(governance.virtual_keys).map((entry) => ({
    id: String(entry.id ?? entry.name),
    owner: entry.team_id
      ? `team ${String(entry.team_id)}`
      : entry.customer_id
        ? `customer ${String(entry.customer_id)}`
        : '',
    key: JSON.stringify({
      ...entry,
      budgets: [...findOwned(governance.budgets, 'virtual_key_id', entry, 'budget_id'), ...toConfigList(entry.budgets)],
      rate_limits: [
        ...findOwned(governance.rate_limits, '', entry, 'rate_limit_id'),
        ...toConfigList(entry.rate_limit),
      ],
    }),
    key_digest: digestImportedKey(String(entry.value ?? '')),
    models: JSON.stringify(listAllowed(toConfigList(entry.provider_configs), served)),
  }))
}

/** The models that a virtual key may use. One without its provider is listed if all its providers are allowed. */
function listAllowed(
  configs: readonly ConfigFields[],
  served: readonly { provider: string; names: string[] }[],
): string[] {
  const isAllowed = (provider: string, name: string) =>
    configs.some(({ provider: of, allowed_models: models }) => {
      const list = toNameList(models)
      return of === provider && (list.includes(ALL_MODELS) || list.includes(name))
    })
  const whole = served.flatMap(({ provider, names }) => names.map((name) => ({ provider, name })))
  const allowed = whole.filter(({ provider, name }) => isAllowed(provider, name))
  const unqualified = allowed.filter(({ name }) =>
    whole.every((each) => each.name !== name || isAllowed(each.provider, name)),
  )
  return [
    ...new Set([...allowed.map(({ provider, name }) => `${provider}/${name}`), ...unqualified.map(({ name }) => name)]),
  ]
}

function listSettings(config: ConfigFields, governance: ConfigFields): SourceRow[] {
  const known = ['virtual_keys', 'customers', 'teams', 'budgets', 'rate_limits']
  const others = Object.keys(config).filter((name) => !READ.includes(name))
  const governed = Object.keys(governance).filter((name) => !known.includes(name) && hasContent(governance[name]))
  return [...others, ...governed.map((name) => `governance.${name}`)].map((key) => ({ key }))
}

const hasContent = (value: unknown): boolean => !['[]', '{}', 'null'].includes(JSON.stringify(value ?? null))
