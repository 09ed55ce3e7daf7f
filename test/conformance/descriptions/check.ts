// Checks answers against the descriptions of their format: a whole answer, an event, the order of events.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { ErrorObject } from 'ajv'
import type { Json } from '../../support/json.ts'
import { OPEN_EVENTS, type DescriptionName } from './index.ts'

const ajv = new Ajv2020({
  strict: false,
  validateFormats: false,
  inlineRefs: false,
  allErrors: true,
  validateSchema: false,
  code: { optimize: false },
})
const loaded = new Set<DescriptionName>()

function load(name: DescriptionName): void {
  if (loaded.has(name)) return
  loaded.add(name)
  const { $defs } = JSON.parse(readFileSync(fileURLToPath(new URL(`${name}.json`, import.meta.url)), 'utf8')) as Json
  ajv.addSchema({ $id: name, $defs })
}

/** Where something is wrong: members by their name, elements of lists by their type. */
function placeOf({ instancePath, keyword, params }: ErrorObject, answer: Json): string {
  let at = answer
  const names = instancePath.split('/').slice(1)
  const path = names.map((name) => {
    at = at?.[name]
    return /^\d+$/.test(name) ? `[${typeof at?.type === 'string' ? at.type : ''}]` : `.${name}`
  })
  const missing = keyword === 'required' ? `.${params.missingProperty}` : ''
  return path.join('') + missing
}

const wordsOf = ({ keyword, message, params }: ErrorObject): string =>
  keyword === 'additionalProperties'
    ? `has ${params.additionalProperty}`
    : `${keyword === 'required' ? 'is missing' : message}`

/** What is wrong with one answer or event, a line each: where, and what. */
export function faultsIn(description: DescriptionName, definition: string, answer: Json): string[] {
  load(description)
  if (ajv.validate(`${description}#/$defs/${definition}`, answer)) return []
  const kind = typeof answer?.type === 'string' ? answer.type : definition
  return [
    ...new Set(
      (ajv.errors ?? [])
        // A choice is told by what is wrong with the one that was taken.
        .filter(({ keyword }) => keyword !== 'if')
        .map((error) => `${description} ${kind}${placeOf(error, answer)} ${wordsOf(error)}`),
    ),
  ]
}

/** Open Responses names the definitions of events by itself; events that it has no word for are the vendor's own. */
const openEvents = new Map<string, string>()
function openEventOf(type: string): string | undefined {
  load('open-responses')
  if (openEvents.size === 0) {
    for (const name of OPEN_EVENTS) {
      const { schema } = ajv.getSchema(`open-responses#/$defs/${name}`)!
      openEvents.set((schema as Json).properties.type.enum[0], name)
    }
  }
  return openEvents.get(type)
}

const ENDS = new Set(['response.completed', 'response.incomplete', 'response.failed'])

/** What is wrong with the order of a Responses stream. */
export function orderFaultsIn(events: readonly Json[]): string[] {
  const faults: string[] = []
  const items = new Map<number, { id: string; done: boolean; text: string; parts: number }>()
  for (const [at, event] of events.entries()) {
    const { type, output_index: place, item } = event
    if (event.sequence_number !== at) faults.push(`order ${type}: sequence_number is not the event's place`)
    if (at === 0 && type !== 'response.created') faults.push(`order ${type} comes first`)
    if (type === 'response.output_item.added') {
      if (items.has(place)) faults.push('order response.output_item.added: comes twice')
      if (place !== items.size) faults.push('order response.output_item.added: is not the next place')
      items.set(place, { id: item.id, done: false, text: '', parts: 0 })
    } else if (place !== undefined) {
      const known = items.get(place)
      if (!known) faults.push(`order ${type}: comes before its item`)
      else if (known.done) faults.push(`order ${type}: comes behind its item`)
      else if (type === 'response.output_item.done') known.done = true
      if (known && event.item_id !== undefined && event.item_id !== known.id)
        faults.push(`order ${type}: names another item`)
      if (known && item && item.id !== known.id) faults.push(`order ${type}: has another id`)
      if (known && type === 'response.content_part.added') known.parts++
      if (known && event.content_index !== undefined && event.content_index !== known.parts - 1)
        faults.push(`order ${type}: is of another part`)
    }
    if (ENDS.has(type)) {
      if (at !== events.length - 1) faults.push(`order ${type} is not last`)
      const open = [...items.values()].filter(({ done }) => !done)
      if (type !== 'response.failed' && open.length > 0) faults.push(`order ${type}: items are open`)
      if (event.response.output.length !== items.size) faults.push(`order ${type}: the answer has other items`)
    }
  }
  const last = events.at(-1)?.type
  if (!ENDS.has(last)) faults.push(`order ${last} comes last`)
  if (events.some(({ type }) => type === 'error') && last !== 'response.failed')
    faults.push('order error without response.failed')
  return [...new Set(faults)]
}

/** Items and tools that Open Responses has no word for are extensions of it. */
const OF_EXTENSION = /(?:item|output\[\w+\])\.type must be equal to one|\.tools\[(?!function\])\w+\]/
const openFaultsIn = (definition: string, answer: Json): string[] =>
  faultsIn('open-responses', definition, answer).filter((fault) => !OF_EXTENSION.test(fault))

/** What is wrong with a whole Response, as OpenAI and as Open Responses describe it. */
export const responseFaults = (response: Json): string[] => [
  ...faultsIn('openai', 'Response', response),
  ...openFaultsIn('ResponseResource', response),
]

/** What is wrong with the events of a Responses stream; `isOwn`: only with what Weir adds to its provider's. */
export const responseStreamFaults = (events: readonly Json[], isOwn = false): string[] => [
  ...events.flatMap((event) => {
    if (isOwn && event.type !== 'error') return []
    const open = openEventOf(event.type)
    return [...faultsIn('openai', 'ResponseStreamEvent', event), ...(open ? openFaultsIn(open, event) : [])]
  }),
  ...orderFaultsIn(events),
]
