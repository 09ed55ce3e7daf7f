// The models of Bifrost's keys. Clients name them with their provider (`openai/gpt-4o`), or without it.
import { asList, asObject, asText, type JsonObject } from '../../dialects/json/json-value.ts'
import { findProvider } from '../../providers/index.ts'

// Providers as Bifrost calls them, and the types of our channels.
const BIFROST_PROVIDERS: Readonly<Record<string, number>> = {
  openai: 1,
  azure: 3,
  ollama: 4,
  anthropic: 14,
  openrouter: 20,
  gemini: 24,
  perplexity: 27,
  bedrock: 33,
  cohere: 34,
  vertex: 41,
  mistral: 42,
  deepseek: 43,
  xai: 48,
  groq: 1001,
  fireworks: 1003,
  cerebras: 1004,
  huggingface: 1005,
  sgl: 1,
  vllm: 1,
}

export const ALL_MODELS = '*'

/** The members that name the deployment of a model, in several versions. */
const DEPLOYMENTS = ['azure_key_config', 'bedrock_key_config', 'vertex_key_config', 'replicate_key_config']

export interface KeyModels {
  /** Names without a provider. */
  names: string[]
  /** Names at the provider, by name, where these differ. */
  deployments: Record<string, string>
  /** True if it serves every model, so that the names are those that Weir offers for the provider. */
  isAll: boolean
  /** True if the list is empty: no model since version 1.5, and every model before. */
  isEmpty: boolean
}

/** Returns the type of a provider's channels; undefined if Weir has none. */
export function findChannelType(provider: string, config: JsonObject): number | undefined {
  const base = asText(asObject(config.custom_provider_config)?.base_provider_type) ?? provider
  return Object.hasOwn(BIFROST_PROVIDERS, base) ? BIFROST_PROVIDERS[base] : undefined
}

/** @param version the file's `version`; 1 if an empty list means every model */
export function listKeyModels(key: JsonObject, type: number | undefined, version: unknown): KeyModels {
  const listedModels = toNameList(key.models)
  const places = [key.aliases, key.deployments, ...DEPLOYMENTS.map((name) => asObject(key[name])?.deployments)]
  const deployments = Object.fromEntries(
    places.flatMap((place) =>
      Object.entries(asObject(place) ?? {}).flatMap(([model, target]) => {
        const name = asText(target) ?? asText(asObject(target)?.model_id)
        return name === undefined || name === model ? [] : [[model, name] as const]
      }),
    ),
  )
  const isEmpty = listedModels.length === 0 && version !== 1
  const isAll = listedModels.includes(ALL_MODELS) || listedModels.length === 0
  const excluded = new Set(toNameList(key.blacklisted_models))
  const offered = isAll ? [...(findProvider(type ?? 0)?.models ?? []), ...places.flatMap(listKeys)] : listedModels
  return { names: [...new Set(offered)].filter((name) => !excluded.has(name)), deployments, isAll, isEmpty }
}

const listKeys = (value: unknown): string[] => Object.keys(asObject(value) ?? {})

export const toNameList = (value: unknown): string[] =>
  (asList(value) ?? []).map((each) => asText(each)?.trim() ?? '').filter((name) => name !== '')
