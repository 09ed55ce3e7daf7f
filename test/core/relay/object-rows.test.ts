// The rows of a provider's objects in an answer: one for each object that the account then owns, and none for any other.
import { describe, expect, it } from 'vitest'
import type { ProviderObject } from '../../../core/dialects/requests/object-places.ts'
import { buildObjectRows } from '../../../core/relay/objects/call-objects.ts'

const NOW = 1_000_000
const DAY_MS = 24 * 3_600_000

type Given = Parameters<typeof buildObjectRows>
const step = {
  head: { model: 'm', storesAnswer: true, threads: true },
  taken: { channel: { id: 5 }, key: { fingerprint: 'key' } },
}

type NewObject = Omit<ProviderObject, 'param'>

function rowsOf(objects: NewObject[], foreign: string[] = [], more: { deferred?: object; head?: object } = {}) {
  const call = { caller: { user: { id: 3 }, token: null }, deferred: more.deferred } as unknown as Given[0]
  const route = { answering: { step: { ...step, head: { ...step.head, ...more.head } } } } as unknown as Given[1]
  return buildObjectRows(
    call,
    route,
    { objects: objects.map((object) => ({ ...object, param: '' })) } as Given[2],
    new Set(foreign),
    NOW,
  )
}
const idsOf = (...given: Parameters<typeof rowsOf>) => (rowsOf(...given) ?? []).map(({ kind, id }) => `${kind}:${id}`)

describe('an answer', () => {
  it('has one row for an object, however often it names it', () => {
    const file: NewObject = { kind: 'file', id: 'file-1' }
    expect(idsOf([file, { kind: 'file', id: 'file-2' }, file, { kind: 'container', id: 'file-1' }])).toEqual([
      'file:file-1',
      'file:file-2',
      'container:file-1',
    ])
  })

  it.each<[string, NewObject, string[], object]>([
    ['items, which belong to their answer', { kind: 'item', id: 'msg_1' }, [], {}],
    ['objects of others that the request named', { kind: 'file', id: 'file-1' }, ['file:file-1'], {}],
    ['ids that are empty', { kind: 'file', id: '' }, [], {}],
    ['ids that are too long', { kind: 'file', id: 'x'.repeat(513) }, [], {}],
    ['ids with a space', { kind: 'file', id: 'file 1' }, [], {}],
    ['ids beyond ASCII', { kind: 'file', id: 'filé' }, [], {}],
    [
      'answers that the provider does not store',
      { kind: 'response', id: 'resp_1' },
      [],
      { head: { storesAnswer: false } },
    ],
    ['answers that Weir stores instead', { kind: 'response', id: 'resp_1' }, [], { deferred: {} }],
    ['threads that were not requested', { kind: 'thread', id: 't-1' }, [], { head: { threads: undefined } }],
  ])('has no row for %s', (_, object, foreign, more) => {
    expect(idsOf([object], foreign, more)).toEqual([])
    expect(idsOf([object, { kind: 'file', id: 'file-2' }], foreign, more)).toEqual(['file:file-2'])
  })

  it('keeps who paid, where the object is, and how long', () => {
    const rows = rowsOf([
      { kind: 'response', id: 'resp_1' },
      { kind: 'item', id: 'foreign_item' },
      { kind: 'file', id: 'file-1' },
      { kind: 'file', id: 'file-2', expires_at: NOW + 5 },
    ])
    const owner = { channel_id: 5, key: 'key', account_id: 3, user_id: 3, token_id: 0, model: 'm', created_at: NOW }
    expect(rows).toMatchObject([
      { ...owner, id: 'resp_1', items: ' foreign_item ', expires_at: NOW + 30 * DAY_MS },
      { ...owner, id: 'file-1', items: '', expires_at: null },
      { ...owner, id: 'file-2', items: '', expires_at: NOW + 5 },
    ])
  })
})
