// Patches a request that stays in its format, for channels with that option: removes the fields that the model would
// refuse.
import type { Refusable } from './family-row.ts'
import { findModelFamily, isUsual, nearestEffort, refusedFields, type Family } from './families.ts'
import { camelCase } from './gemini-generate/fields.ts'
import { readMembers } from './json-bytes.ts'
import { getMember, asObject, asText, type JsonObject } from './json-value.ts'

/** Changes at the top level (null removes a field), and the names of the lost fields. */
export interface ModelPatch {
  override: JsonObject
  lost: string[]
}

const NOTHING: ModelPatch = { override: {}, lost: [] }

const CONFIG = 'generationConfig'

/** Returns the changes for a model. */
export function patchForModel(body: Uint8Array, format: string, model: string, requestedModel: string): ModelPatch {
  const family = findModelFamily(model, format, requestedModel)
  if (family.refuses.size + family.thinking.size === 0 && !family.efforts) return NOTHING
  return format === 'gemini-generate' ? mendedConfig(body, family) : mendedFields(body, family)
}

/** OpenAI's and Anthropic's formats have the same field names, at the top level. */
function mendedFields(body: Uint8Array, family: Family): ModelPatch {
  const names = ['reasoning_effort', 'reasoning', 'stop', ...family.refuses, ...family.thinking]
  const fields = readMembers(body, names)
  const override: JsonObject = {}
  const lost: string[] = []
  const effort = asText(fields.reasoning_effort) ?? asText(getMember(fields.reasoning, 'effort'))
  const taken = effort === undefined ? undefined : nearestEffort(family, effort)
  if (taken !== effort) {
    if (taken === undefined) lost.push('reasoning_effort')
    if (asText(fields.reasoning_effort)) override.reasoning_effort = taken ?? null
    else override.reasoning = { ...asObject(fields.reasoning), effort: taken }
  }
  // No provider accepts an empty list of stop sequences.
  if (Array.isArray(fields.stop) && fields.stop.length === 0) override.stop = null
  for (const field of refusedFields(family, taken)) {
    if (!(field in fields)) continue
    override[field] = null
    if (isLoss(field, fields[field])) lost.push(field)
  }
  return { override, lost }
}

/** Google's fields are one level down, in either spelling. */
function mendedConfig(body: Uint8Array, family: Family): ModelPatch {
  const [key, config] = Object.entries(readMembers(body, [CONFIG, 'generation_config']))[0] ?? []
  const members = Object.entries(asObject(config) ?? {})
  const refused = new Map(refusedFields(family).map((field) => [GOOGLE[field] ?? camelCase(field), field]))
  const lost = members.flatMap(([name, value]) => {
    const field = refused.get(camelCase(name))
    return field && isLoss(field, value) ? [field] : []
  })
  const accepted = members.filter(([name]) => !refused.has(camelCase(name)))
  return key && accepted.length < members.length ? { override: { [key]: Object.fromEntries(accepted) }, lost } : NOTHING
}

/** Google's names of fields that differ. */
const GOOGLE: Partial<Record<Refusable, string>> = {
  n: 'candidateCount',
  stop: 'stopSequences',
  logprobs: 'responseLogprobs',
  top_logprobs: 'logprobs',
}

const isLoss = (field: Refusable, value: unknown): boolean =>
  value !== null && !isUsual(field, value) && !(Array.isArray(value) && value.length === 0)
