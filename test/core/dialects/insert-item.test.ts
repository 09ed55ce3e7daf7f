// The item of a summary in the events of a stream: first of the output, everything else behind it and numbered again.
import { expect, it } from 'vitest'
import { createItemInsertion } from '../../../core/dialects/openai-responses/insert-item.ts'

const ITEM = { id: 'cmp_1', type: 'compaction', encrypted_content: 'x' }
const play = (...events: object[]) => {
  const insert = createItemInsertion(ITEM)
  return events.flatMap((event) => insert({ data: JSON.stringify(event) })).map(({ data }) => JSON.parse(data))
}
const created = { type: 'response.created', response: { output: [] } }

it('stands before the first item, and in the whole response', () => {
  const events = play(
    created,
    { type: 'response.output_item.added', output_index: 0, item: { type: 'message' } },
    { type: 'response.completed', response: { output: [{ type: 'message' }] } },
  )
  expect(events.map(({ type, output_index }) => [type, output_index])).toEqual([
    ['response.created', undefined],
    ['response.output_item.added', 0],
    ['response.output_item.done', 0],
    ['response.output_item.added', 1],
    ['response.completed', undefined],
  ])
  expect(events.map(({ sequence_number }) => sequence_number)).toEqual([0, 1, 2, 3, 4])
  expect(events.at(-1).response.output).toEqual([ITEM, { type: 'message' }])
})

it('is left out of a response that fails before its first item', () => {
  const failed = { type: 'response.failed', response: { output: [] } }
  const events = play(created, { type: 'error' }, failed)
  expect(events.map(({ type }) => type)).toEqual(['response.created', 'error', 'response.failed'])
  expect(events.at(-1).response.output).toEqual([])
})
