// The models a caller may use, in the shape of the caller's dialect.
import type { Dialect } from '../core/dialects/dialect.ts'
import { anthropicMessages, type ListedModel } from '../core/index.ts'

interface Shape {
  list(models: readonly ListedModel[], query: URLSearchParams): object
  one(model: ListedModel): object
}

const openai: Shape = {
  list: (data) => ({ object: 'list', data }),
  one: (model) => model,
}

/** Anthropic's page sizes. */
const PAGE = 20
const MAX_PAGE = 1000

const anthropic: Shape = {
  list(models, query) {
    const asked = Math.trunc(Number(query.get('limit'))) || PAGE
    const size = Math.min(Math.max(asked, 1), MAX_PAGE)
    const placeOf = (id: string | null) => models.findIndex((model) => model.id === id)
    const before = placeOf(query.get('before_id'))
    const from = before < 0 ? placeOf(query.get('after_id')) + 1 : Math.max(0, before - size)
    const to = before < 0 ? from + size : before
    const data = models.slice(from, to).map(anthropic.one) as { id: string }[]
    const has_more = before < 0 ? to < models.length : from > 0
    return { data, has_more, first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null }
  },
  one: ({ id, created }) => ({
    type: 'model',
    id,
    display_name: id,
    created_at: new Date(created * 1000).toISOString(),
  }),
}

const shapes: Readonly<Record<string, Shape>> = { [anthropicMessages.name]: anthropic }

/** The shape a dialect lists models in; OpenAI's where it has none of its own. */
export const modelShape = ({ name }: Dialect): Shape => shapes[name] ?? openai
