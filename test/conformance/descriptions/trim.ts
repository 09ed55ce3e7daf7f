// Makes the descriptions of this folder out of those that lie beside the repository: what answers to callers need of them, told
// apart by `type` where there is a choice, and without the required members that no recording of the vendor has.
//
//   npx tsx test/conformance/descriptions/trim.ts
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { dataEvents, textOf } from '../../support/replay.ts'
import { recordedAnswers, type Recording } from '../../support/recordings.ts'
import type { Json } from '../../support/json.ts'
import { DESCRIPTIONS, type DescriptionName } from './index.ts'

const source = (name: string): Json =>
  JSON.parse(
    readFileSync(fileURLToPath(new URL(`../../../../shared/reference/schemas/${name}.json`, import.meta.url)), 'utf8'),
  )

const REF = '#/$defs/'
/** What an answer only repeats of its request. */
const REPEATED = new Set(['InputItem'])
const nameIn = (ref: string): string => ref.slice(REF.length)

const NOT_NULL = { not: { type: 'null' } }
/** A schema that counts where a condition is met. */
// oxlint-disable-next-line unicorn/no-thenable
const whereTrue = (condition: Json, schema: Json): Json => ({ if: condition, then: schema })

/** The types by which the objects of a schema are known; undefined where they are not. */
function typesOf(schema: Json, defs: Json): string[] | undefined {
  if (schema.$ref) return typesOf(defs[nameIn(schema.$ref)], defs)
  const branches = schema.oneOf ?? schema.anyOf
  if (branches && !schema.properties) {
    const all = branches.map((branch: Json) => typesOf(branch, defs))
    return all.some((types: unknown) => types === undefined) ? undefined : all.flat()
  }
  if (schema.allOf?.length > 0 && !schema.properties) return typesOf(schema.allOf[0], defs)
  const { type } = schema.properties ?? {}
  return type?.const ? [type.const] : type?.enum
}

/** A choice with a type each becomes conditions, so that what is wrong with one is all that is reported. */
function toldApart(schema: Json, defs: Json): Json {
  if (Array.isArray(schema)) return schema.map((one) => toldApart(one, defs))
  if (typeof schema !== 'object' || schema === null) return schema
  const { nullable, ...own } = schema
  // OpenAPI's older word for it.
  if (nullable) return toldApart({ anyOf: [own, { type: 'null' }] }, defs)
  const { oneOf, anyOf, ...rest } = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [
      key,
      key === 'enum' || key === 'required' ? value : toldApart(value, defs),
    ]),
  ) as Json
  const branches: Json[] | undefined = oneOf ?? anyOf
  if (!branches || rest.properties) return { ...rest, ...(oneOf ? { oneOf } : {}), ...(anyOf ? { anyOf } : {}) }
  const others = branches.filter(({ type }) => type !== 'null')
  // What else it may be was left out of the description.
  if (others.length === 0) return rest
  const isNullable = others.length < branches.length
  const types = others.map((branch) => typesOf(branch, defs))
  const all = types.flat()
  const known = others.length > 1 && all.every((type) => type !== undefined) && new Set(all).size === all.length
  const told = known
    ? {
        type: 'object',
        required: ['type'],
        properties: { type: { enum: all } },
        allOf: others.map((branch, at) => whereTrue({ properties: { type: { enum: types[at] } } }, branch)),
      }
    : others.length === 1
      ? others[0]
      : { anyOf: others }
  return isNullable ? { ...rest, ...whereTrue(NOT_NULL, told) } : { ...rest, ...told }
}

/** The definitions that the roots need. */
function reached(roots: readonly string[], defs: Json): Json {
  const found: Json = {}
  const add = (schema: Json): void => {
    if (Array.isArray(schema)) return schema.forEach(add)
    if (typeof schema !== 'object' || schema === null) return
    if (typeof schema.$ref === 'string' && !found[nameIn(schema.$ref)]) {
      const name = nameIn(schema.$ref)
      found[name] = REPEATED.has(name) ? { type: 'object' } : toldApart(defs[name], defs)
      add(found[name])
    }
    Object.values(schema).forEach(add)
  }
  add(roots.map((name) => ({ $ref: REF + name })))
  return found
}

type Answers = readonly (readonly [Json, string])[]

/** What the vendor itself has answered, with the definition of each: all of it, and what its newest models did. */
function answersOf({ vendor, apis, newest }: (typeof DESCRIPTIONS)[DescriptionName]): {
  all: Answers
  newest: Answers
} {
  const own = recordedAnswers().filter(
    ({ provider, api, response }) => provider === vendor && apis[api] && response.status === 200,
  )
  const read = (recordings: readonly Recording[]) => recordings.flatMap((one) => partsOf(one, apis[one.api]!))
  return { all: read(own), newest: read(own.filter(({ model }) => newest.test(model ?? ''))) }
}

function partsOf(recording: Recording, roots: { whole: string; event: string }): [Json, string][] {
  const { sse, body } = recording.response
  if (!sse) return [[body, roots.whole]]
  return dataEvents(textOf(recording)).flatMap(({ data }) =>
    data === '[DONE]' ? [] : [[JSON.parse(data), roots.event]],
  )
}

const newAjv = () =>
  new Ajv2020({ strict: false, validateFormats: false, inlineRefs: false, allErrors: true, code: { optimize: false } })

/** Calls back with every schema that has required members. */
function visitRequired(schema: Json, found: (schema: Json) => void): void {
  if (Array.isArray(schema)) return schema.forEach((one) => visitRequired(one, found))
  if (typeof schema !== 'object' || schema === null) return
  if (Array.isArray(schema.required)) found(schema)
  for (const value of Object.values(schema)) visitRequired(value, found)
}

/** How often the answers have each object, and each of its required members. */
function countMembers(defs: Json, answers: Answers): Map<object, { objects: number; members: Map<string, number> }> {
  const seen = new Map<object, { objects: number; members: Map<string, number> }>()
  const ajv = newAjv()
  const counted: Json[] = []
  ajv.addKeyword({
    keyword: 'counted',
    validate(at: number, data: object) {
      if (typeof data !== 'object' || data === null || Array.isArray(data)) return true
      const schema = counted[at]
      const known = seen.get(schema) ?? { objects: 0, members: new Map<string, number>() }
      seen.set(schema, known)
      known.objects++
      for (const member of schema.required) {
        if (member in data) known.members.set(member, (known.members.get(member) ?? 0) + 1)
      }
      return true
    },
  })
  const counting = (schema: Json): Json => {
    if (Array.isArray(schema)) return schema.map(counting)
    if (typeof schema !== 'object' || schema === null) return schema
    const inner = Object.fromEntries(
      Object.entries(schema).map(([key, value]) => [key, key === 'enum' ? value : counting(value)]),
    )
    if (!Array.isArray(schema.required)) return inner
    const { required: _, ...rest } = inner
    return { ...rest, counted: counted.push(schema) - 1 }
  }
  ajv.addSchema({ $id: 'counting', $defs: counting(defs) })
  for (const [answer, root] of answers) ajv.validate(`counting${REF}${root}`, answer)
  return seen
}

/** Leaves out of `required` what the vendor's newest answers lack; of what they do not have, what no answer of its has. */
function excuseMissing(defs: Json, { all, newest }: { all: Answers; newest: Answers }): string[] {
  const byAll = countMembers(defs, all)
  const byNewest = countMembers(defs, newest)
  const excused: string[] = []
  for (const [name, def] of Object.entries(defs)) {
    visitRequired(def, (schema) => {
      const lacks = (member: string): boolean => {
        const recent = byNewest.get(schema)
        if (recent) return (recent.members.get(member) ?? 0) < recent.objects
        const known = byAll.get(schema)
        return known !== undefined && !known.members.has(member)
      }
      const missing = schema.required.filter(lacks)
      excused.push(...missing.map((member: string) => `${name}.${member}`))
      schema.required = schema.required.filter((member: string) => !missing.includes(member))
    })
  }
  return excused
}

/** Lets pass a null where the vendor says one. */
function excuseNulls(defs: Json, answers: Answers): void {
  const ajv = newAjv()
  ajv.opts.verbose = true
  ajv.addSchema({ $id: 'own', $defs: defs })
  const schemas = new Set<Json>()
  for (const [answer, root] of answers) {
    if (ajv.validate(`own${REF}${root}`, answer)) continue
    for (const { keyword, data, parentSchema } of ajv.errors ?? []) {
      if (keyword === 'type' && data === null) schemas.add(parentSchema)
    }
  }
  for (const schema of schemas) {
    const own = { ...schema }
    for (const key of Object.keys(schema)) delete schema[key]
    Object.assign(schema, whereTrue(NOT_NULL, own))
  }
}

for (const name of Object.keys(DESCRIPTIONS) as DescriptionName[]) {
  const { from, $defs } = source(name)
  const defs = reached(DESCRIPTIONS[name].roots, $defs)
  const answers = answersOf(DESCRIPTIONS[name])
  const excused = excuseMissing(defs, answers)
  excuseNulls(defs, answers.all)
  const text = `${JSON.stringify({ from, excused, $defs: defs })}\n`
  writeFileSync(fileURLToPath(new URL(`${name}.json`, import.meta.url)), text)
}
