// OpenAI's memory between requests at /v1/responses: stored answers, and issued values.
import type { Json } from '../../support/json.ts'
import { Refusal } from '../vendor.ts'
import { nextId } from './ids.ts'

export interface Kept {
  /** The conversation up to its end, as input. */
  input: Json[]
  response: Json
}

export type ResponsesMemory = ReturnType<typeof createResponsesMemory>

export function createResponsesMemory() {
  const kept = new Map<string, Kept>()
  const items = new Map<string, Json>()
  const thoughts = new Set<string>()
  /** Of an item, the thoughts without which it may not come back. */
  const behind = new Map<string, string>()
  return {
    /** Notes an answer; only a stored one can be named later. */
    note({ input, response }: Kept, stored: boolean): void {
      let thought: string | undefined
      for (const item of response.output as Json[]) {
        if (item.type === 'reasoning') thought = item.id
        else if (thought) behind.set(item.id, thought)
        if (stored) items.set(item.id, item)
      }
      if (stored) kept.set(response.id, { input: [...input, ...response.output], response })
    },
    /** @throws Refusal where it is not kept */
    find(id: string, param: string): Kept {
      const found = kept.get(id)
      if (found) return found
      if (param === 'previous_response_id') {
        throw new Refusal(`Previous response with id '${id}' not found.`, {
          param,
          code: 'previous_response_not_found',
        })
      }
      throw new Refusal(`Response with id '${id}' not found.`, { status: 404 })
    },
    forget: (id: string): boolean => kept.delete(id),
    item: (id: string): Json => items.get(id),
    /** Thoughts nobody but the vendor can read. */
    seal(): string {
      const sealed = Buffer.from(`\x80\0\0\0\0${nextId('rs')}${'x'.repeat(90)}`, 'latin1').toString('base64url')
      thoughts.add(sealed)
      return sealed
    },
    issued: (sealed: string): boolean => thoughts.has(sealed),
    thoughtBehind: (id: string): string | undefined => behind.get(id),
  }
}
