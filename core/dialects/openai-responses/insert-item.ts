// Inserts an item before all others of an answer: in a whole response, and in the events of its stream, which have item
// and sequence numbers.
import type { SseFrame } from '../answers/frames.ts'
import { changeTopMembers, toJsonBytes, readTopMember } from '../json/json-bytes.ts'
import { asList, asFiniteNumber, asObject, parseJson, asText, type JsonObject } from '../json/json-value.ts'

/** Events before the first item, and those of a response that fails before it has one. */
const WITHOUT_ITEMS = new Set([
  'response.created',
  'response.queued',
  'response.in_progress',
  'error',
  'response.failed',
])

export const insertOutputItem = (response: Uint8Array, item: JsonObject): Uint8Array =>
  changeTopMembers(
    response,
    new Map([['output', toJsonBytes([item, ...(asList(readTopMember(response, 'output')) ?? [])])]]),
  )

/** Returns a function that changes the events of one stream, in order. */
export function createItemInsertion(item: JsonObject): (frame: SseFrame) => SseFrame[] {
  let isInserted = false
  let sequence = 0
  const numbered = (event: JsonObject): SseFrame => {
    const type = asText(event.type)
    const data = JSON.stringify({ ...event, sequence_number: sequence++ })
    return type === undefined ? { data } : { event: type, data }
  }
  return (frame) => {
    const event = asObject(parseJson(frame.data))
    if (!event) return [frame]
    const type = asText(event.type) ?? frame.event ?? ''
    const frames: SseFrame[] = []
    if (!isInserted && !WITHOUT_ITEMS.has(type)) {
      isInserted = true
      for (const name of ['added', 'done'])
        frames.push(numbered({ type: `response.output_item.${name}`, output_index: 0, item }))
    }
    const index = asFiniteNumber(event.output_index)
    const response = asObject(event.response)
    return [
      ...frames,
      numbered({
        ...event,
        type,
        ...(index === undefined ? {} : { output_index: index + 1 }),
        ...(response && isInserted
          ? { response: { ...response, output: [item, ...(asList(response.output) ?? [])] } }
          : {}),
      }),
    ]
  }
}
